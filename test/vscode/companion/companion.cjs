const vscode = require('vscode');

// A file that the address names is opened before the extensions are known, and a custom editor
// then loses to the "binary file" page. Opened from here, it cannot: this runs after all
// extensions are registered.
exports.activate = async () => {
  const path = process.env.HOST_OPEN_AT_START;
  const restored = vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (path && folder && !restored) {
    await vscode.commands.executeCommand('vscode.open', folder.uri.with({ path }), {
      preview: false,
    });
  }
  // An extension host that runs an extension from source forwards its console to the browser's.
  console.log('host companion: extensions are ready');
};
