const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A size in bytes for people: `1,023 B`, `1.5 KiB`, `12 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes.toLocaleString('en-US')} B`;
  let value = bytes;
  let unit = -1;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? Number(value.toFixed(1)) : Math.floor(value)} ${units[unit]}`;
}

/** The end of a path, which tells the most, where all of it is too long to show. */
export function shortPath(path: string, length: number): string {
  const characters = [...path];
  return characters.length <= length ? path : `…${characters.slice(1 - length).join('')}`;
}
