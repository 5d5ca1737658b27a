/** The places of what the page loads, as the webview may load it. */
interface PageResources {
  /** Where the webview may load from at all. */
  readonly cspSource: string;
  /** Chosen anew for every page; lets our own script run and no other. */
  readonly nonce: string;
  readonly script: string;
  readonly styles: readonly string[];
}

/**
 * The page of an inspector. It may load its own files, and nothing else from anywhere.
 *
 * The `csp-nonce` is for the toolkit: it tries out with a style element whether the browser knows
 * `:focus-visible`, and takes the nonce from there (`canUseFocusVisible` of fast-web-utilities).
 */
export function inspectorHtml({ cspSource, nonce, script, styles }: PageResources): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
  ].join('; ');
  const links = styles.map((style) => `<link rel="stylesheet" href="${escape(style)}">`);
  const context = JSON.stringify({
    webviewSection: 'inspector',
    preventDefaultContextMenuItems: true,
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filesystem Image Inspector</title>
${links.join('\n')}
</head>
<body data-vscode-context="${escape(context)}">
<fsimg-inspector></fsimg-inspector>
<script nonce="${nonce}" src="${escape(script)}"></script>
</body>
</html>`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
