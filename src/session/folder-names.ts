import { join } from 'node:path';
import { isSameFile } from '../image/host-folder';
import { alternativeName, foldedName, safeName, thisHost } from './safe-names';

/** The names given out in one folder of an export: safe for the host, and no two the same to it. */
export class FolderNames {
  /** The last name given out among those that differ in case only, and how many they are. */
  private readonly taken = new Map<string, { name: string; count: number }>();
  private readonly exact = new Set<string>();

  constructor(private readonly folder: string) {}

  /** The name itself where it is safe and free, else one like it. */
  take(wanted: string): string {
    const safe = safeName(wanted, thisHost);
    const key = foldedName(safe);
    const last = this.taken.get(key);
    let count = last?.count ?? 1;
    let name = safe;
    while (this.isTaken(name, last?.name)) name = alternativeName(safe, ++count);
    this.taken.set(key, { name: last?.name ?? name, count });
    this.exact.add(name);
    return name;
  }

  /** Whether the host tells names apart that differ in case only is seen when one is there. */
  private isTaken(name: string, similar: string | undefined): boolean {
    if (this.exact.has(name)) return true;
    return similar !== undefined && isSameFile(join(this.folder, name), join(this.folder, similar));
  }
}
