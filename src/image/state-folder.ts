import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the host has programs keep what must outlive them: here, the journals of saves. */
export function hostStateFolder(environment = process.env, home = homedir()): string {
  const name = 'fsimg';
  if (process.platform === 'win32') {
    return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), name);
  }
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  return join(environment.XDG_STATE_HOME || join(home, '.local', 'state'), name);
}
