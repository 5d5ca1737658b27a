import { describe, expect, it } from 'vitest';
import { FreeSpaceBuilder } from '../../src/filesystem/free-space';

describe('free space', () => {
  it('joins runs that touch, and counts them', () => {
    const builder = new FreeSpaceBuilder();
    builder.add(2, 3);
    builder.add(5, 1);
    builder.add(10, 1);
    builder.add(20, 16);
    const free = builder.build();
    expect([...free.starts]).toEqual([2, 10, 20]);
    expect([...free.lengths]).toEqual([4, 1, 16]);
    expect([free.count, free.total, free.largest]).toEqual([3, 21, 16]);
    expect(free.histogram()).toEqual([
      { minimum: 1, extents: 1, units: 1 },
      { minimum: 4, extents: 1, units: 4 },
      { minimum: 16, extents: 1, units: 16 },
    ]);
  });

  it('knows whether a unit is free', () => {
    const builder = new FreeSpaceBuilder();
    builder.add(2, 3);
    builder.add(10, 1);
    const free = builder.build();
    const held = Array.from({ length: 13 }, (_, unit) => unit).filter((unit) => free.holds(unit));
    expect(held).toEqual([2, 3, 4, 10]);
  });

  it('grows past its first columns', () => {
    const builder = new FreeSpaceBuilder();
    for (let i = 0; i < 5000; i++) builder.add(3 * i, 1);
    const free = builder.build();
    expect(free.count).toBe(5000);
    expect(free.starts[4999]).toBe(3 * 4999);
  });

  it('of a full volume is empty', () => {
    const free = new FreeSpaceBuilder().build();
    expect([free.count, free.total, free.largest, free.histogram()]).toEqual([0, 0, 0, []]);
  });
});
