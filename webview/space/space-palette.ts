/** The colours of the map, which the style sheet takes from VS Code's theme. */
import { roles, type Role } from '../words/role-words';

export interface Palette {
  readonly roles: Readonly<Record<Role, string>>;
  /** What the cells stand on, and patterns are drawn with. */
  readonly ground: string;
  readonly foreground: string;
  /** What belongs to the chosen node. */
  readonly selected: string;
  /** What is planned to be taken, or given back. */
  readonly planned: string;
  readonly focus: string;
  readonly muted: string;
}

/** Reads the colours as they are at an element of the inspector. */
export function readPalette(within: Element): Palette {
  const probe = document.createElement('span');
  within.append(probe);
  const colour = (name: string) => {
    probe.className = `role-${name}`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    roles: Object.fromEntries(roles.map((role) => [role, colour(role)])) as Record<Role, string>,
    ground: colour('ground'),
    foreground: colour('foreground'),
    selected: colour('selected'),
    planned: colour('planned'),
    focus: colour('focus'),
    muted: colour('muted'),
  };
  probe.remove();
  return palette;
}

/** Calls back whenever VS Code changes its theme; returns what ends that. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}
