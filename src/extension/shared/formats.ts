/** The end of a path, which tells the most, where all of it is too long to show. */
export function shortPath(path: string, length: number): string {
  const characters = [...path];
  return characters.length <= length ? path : `…${characters.slice(1 - length).join('')}`;
}

/** Text for the status bar, which draws an icon for `$(name)` but for `\\$(name)` only the text. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\([\w~-]+\)/g, '\\$&');
}
