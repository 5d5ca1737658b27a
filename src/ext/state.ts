import type { Geometry } from './superblock';

const cleanlyUnmounted = 1;
const errorsSeen = 2;

/** What the superblock says of the volume's condition: `clean`, or all that is not. */
export function stateOf(geometry: Geometry): string {
  const { values, features } = geometry;
  const states: string[] = [];
  if (features.has('needs_recovery')) states.push('needs recovery');
  if ((values.s_state & errorsSeen) !== 0) states.push('has errors');
  if ((values.s_state & cleanlyUnmounted) === 0) states.push('not clean');
  return states.join(', ') || 'clean';
}
