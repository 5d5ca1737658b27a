/** What was dropped onto an inspector, as the webview names it: it is not trusted to do so. */

/** The parts of a URI that say where a file is. */
interface FileUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/**
 * Which of the dropped things are files of the machine that runs the inspector.
 * @param isRemote whether VS Code runs on another machine, which calls this one's files so
 */
export function fileUris<Uri extends FileUri>(
  uris: readonly Uri[],
  isRemote: boolean,
): { readonly files: Uri[]; readonly others: number } {
  const files = uris.filter(
    ({ scheme, path }) =>
      path.startsWith('/') &&
      path !== '/' &&
      (scheme === 'file' || (isRemote && scheme === 'vscode-remote')),
  );
  return { files, others: uris.length - files.length };
}
