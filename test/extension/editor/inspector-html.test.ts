import { expect, it } from 'vitest';
import { inspectorHtml } from '../../../src/extension/editor/inspector-html';

const page = inspectorHtml({
  cspSource: 'https://webview.example',
  nonce: 'n0nce',
  script: 'https://webview.example/dist/webview.js?a=1&b="2"',
  styles: [
    'https://webview.example/dist/codicon.css',
    'https://webview.example/media/inspector.css',
  ],
});
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';

it('loads nothing but its own files', () => {
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name, ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  expect(directives).toEqual({
    'default-src': "'none'",
    'script-src': "'nonce-n0nce'",
    'style-src': "https://webview.example 'nonce-n0nce'",
    'font-src': 'https://webview.example',
    'img-src': 'https://webview.example',
  });
});

it('holds one script, which has the nonce, and nothing inline', () => {
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain(
    '<script nonce="n0nce" src="https://webview.example/dist/webview.js?a=1&amp;b=&quot;2&quot;"></script>',
  );
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

it('tells the toolkit the nonce for its style element', () => {
  expect(page).toContain('<meta property="csp-nonce" content="n0nce">');
});

it('gives its body the context of the inspector menus', () => {
  const context = /data-vscode-context="([^"]*)"/.exec(page)?.[1].replaceAll('&quot;', '"') ?? '';
  expect(JSON.parse(context)).toEqual({
    webviewSection: 'inspector',
    preventDefaultContextMenuItems: true,
  });
});
