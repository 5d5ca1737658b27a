import { visibleText } from '../../text/visible-text';

const longestName = 60; // characters; menus show the step's label on one line

/** A name as labels, notes and refusals have it: visible, and no longer than a menu can show. */
export function labelName(name: string): string {
  const characters = Array.from(name.slice(0, 2 * longestName + 1));
  const isCut = characters.length > longestName;
  return visibleText(isCut ? `${characters.slice(0, longestName).join('')}…` : name);
}

/** A number of things by the name of the only one, or by how many they are. */
export function labelNames(names: readonly string[]): string {
  return names.length === 1 ? labelName(names[0]) : `${names.length} entries`;
}
