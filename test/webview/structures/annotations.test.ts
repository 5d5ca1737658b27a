import { describe, expect, it } from 'vitest';
import type { DescribedStructure } from '../../../src/protocol/requests';
import { Annotations, structureFor } from '../../../webview/structures/annotations';

function structure(
  name: string,
  offset: number,
  length: number,
  ...fields: [name: string, at: number, length: number][]
): DescribedStructure {
  return {
    kind: name,
    name,
    offset,
    length,
    fields: fields.map(([field, at, width]) => ({
      name: field,
      offset: offset + at,
      length: width,
      value: 0,
      meaning: field,
    })),
  };
}

const inode = structure('inode', 1000, 128, ['mode', 0, 2], ['uid', 2, 2], ['block', 40, 60]);
const root = structure('extents', 1040, 60, ['magic', 0, 2], ['entries', 2, 2]);

describe('Annotations', () => {
  const annotations = new Annotations(900, 1200, [inode, root]);
  const name = (offset: number) => {
    const found = annotations.at(offset);
    return found && `${found.structure.name} ${found.field?.name ?? '-'}`;
  };

  it('name the innermost structure and field of a byte', () => {
    expect([999, 1000, 1003, 1004, 1040, 1043, 1044, 1099, 1127, 1128].map(name)).toEqual([
      null,
      'inode mode',
      'inode uid',
      'inode -',
      'extents magic',
      'extents entries',
      'extents -',
      'extents -',
      'inode -',
      null,
    ]);
  });

  it('tell where a field ends', () => {
    expect([1000, 1001, 1002, 1003].map((at) => annotations.goesOn(at))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(annotations.goesOn(1127)).toBe(false);
    expect(annotations.goesOn(1199)).toBe(false);
  });

  it('let neighbours differ', () => {
    expect(annotations.at(1000)?.parity).not.toBe(annotations.at(1002)?.parity);
    const entries = [0, 1, 2].map((i) => structure(`entry ${i}`, 4 * i, 4, ['entry', 0, 4]));
    const table = new Annotations(0, 12, entries);
    expect([0, 4, 8].map((at) => table.at(at)?.parity)).toEqual([0, 1, 0]);
  });

  it('cover no more than their stretch, whatever the structures say', () => {
    const part = new Annotations(1001, 1003, [inode, structure('huge', 0, 2 ** 45)]);
    expect(part.at(1000)).toBeNull();
    expect(part.at(1001)?.structure.name).toBe('huge');
    expect(part.at(1003)).toBeNull();
    expect(Annotations.none.at(0)).toBeNull();
  });
});

describe('structureFor', () => {
  it('is the one that the bytes are all of, be it the outer one', () => {
    expect(structureFor([inode, root], { offset: 1040, length: 60 })).toBe(root);
    const same = structure('same', 1000, 128);
    expect(structureFor([same, inode], { offset: 1000, length: 128 })).toBe(inode);
    const inner = structure('inner', 1000, 4, ['all', 0, 4]);
    expect(structureFor([inode, inner], { offset: 1000, length: 128 })).toBe(inode);
  });

  it('is else the innermost one that has a field there', () => {
    expect(structureFor([inode, root], { offset: 1041, length: 1 })).toBe(root);
    expect(structureFor([inode, root], { offset: 1080, length: 1 })).toBe(inode);
    expect(structureFor([inode], { offset: 1010, length: 1 })).toBe(inode);
    expect(structureFor([], { offset: 0, length: 1 })).toBeNull();
  });
});
