import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnershipBuilder } from '../../src/filesystem/ownership';

describe('ownership', () => {
  it('names the structure or the node of a unit, and nothing for a free one', () => {
    const builder = new OwnershipBuilder();
    builder.addNode(20, 5, 'file', 12, 100);
    builder.addStructure(0, 2, 'superblock', 'superblock');
    const ownership = builder.build();
    expect(ownership.at(1)).toEqual({
      start: 0,
      length: 2,
      role: 'superblock',
      structure: 'superblock',
    });
    expect(ownership.at(24)).toEqual({
      start: 20,
      length: 5,
      role: 'file',
      node: 12,
      logical: 100,
    });
    expect(ownership.at(2)).toBeUndefined();
    expect(ownership.at(25)).toBeUndefined();
  });

  it('lets structures keep what a corrupt node claims, and tells the rest of the run apart', () => {
    const builder = new OwnershipBuilder();
    builder.addNode(0, 10, 'file', 12, 0);
    builder.addStructure(4, 2, 'bitmap', 'block bitmap of group 0');
    const ownership = builder.build();
    expect(ownership.at(3)).toMatchObject({ node: 12, start: 0, length: 4, logical: 0 });
    expect(ownership.at(5)).toMatchObject({ role: 'bitmap', start: 4, length: 2 });
    expect(ownership.at(6)).toMatchObject({ node: 12, start: 6, length: 4, logical: 6 });
  });

  it('answers like a plain array of units, whatever overlaps', () => {
    const run = fc.record({ start: fc.nat(60), length: fc.integer({ min: 1, max: 20 }) });
    const runs = fc.array(run, { maxLength: 12 });
    fc.assert(
      fc.property(runs, runs, (structures, nodes) => {
        const builder = new OwnershipBuilder();
        const model: (string | number | undefined)[] = [];
        nodes.forEach(({ start, length }, i) => builder.addNode(start, length, 'file', i, 0));
        structures.forEach(({ start, length }, i) =>
          builder.addStructure(start, length, 'table', `s${i}`),
        );
        const claim = (list: typeof nodes, name: (i: number) => string | number) => {
          const order = [...list.entries()].sort(([i, a], [j, b]) => a.start - b.start || i - j);
          for (const [i, { start, length }] of order) {
            for (let unit = start; unit < start + length; unit++) model[unit] ??= name(i);
          }
        };
        claim(structures, (i) => `s${i}`);
        claim(nodes, (i) => i);
        const ownership = builder.build();
        for (let unit = 0; unit < 100; unit++) {
          const owner = ownership.at(unit);
          expect(owner && (owner.node ?? owner.structure)).toBe(model[unit]);
        }
      }),
    );
  });
});
