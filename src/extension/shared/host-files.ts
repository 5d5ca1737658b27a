import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * Lends a file of the host that holds bytes, for those who can only read files.
 * @param storage the folder that it lies in; its name is nobody's choice
 */
export async function withHostFile<Result>(
  storage: vscode.Uri,
  bytes: Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const file = vscode.Uri.joinPath(storage, `import-${randomUUID()}`);
  await vscode.workspace.fs.createDirectory(storage);
  try {
    await vscode.workspace.fs.writeFile(file, bytes);
    return await use(file.fsPath);
  } finally {
    // Where it cannot be deleted, the host cleans it up with the storage of the extension.
    await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
  }
}
