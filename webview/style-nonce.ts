/**
 * The toolkit tries out a style element as soon as it is loaded, and the page's security policy
 * lets only those pass that carry the page's nonce. The toolkit looks for it in a `meta` element.
 */
const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.nonce) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = script.nonce;
  document.head.append(meta);
}
