import { expect, it } from 'vitest';
import { ClusterSet } from '../../../src/ext/check/block-claims';
import { MemoryBudget } from '../../../src/ext/check/memory-budget';
import { readSuperblock } from '../../../src/ext/superblock';
import { HandMade } from '../support/hand-made';

const perGroup = 32_768;

function newSet(memory: MemoryBudget): ClusterSet {
  const reading = readSuperblock(new HandMade({ blockSize: 4096 }).volume, 1024);
  if (!('geometry' in reading)) throw new Error(reading.broken);
  return new ClusterSet({ ...reading.geometry, blocksPerGroup: perGroup }, memory);
}

it('holds more groups as a whole than memory is allowed for', () => {
  const memory = new MemoryBudget();
  memory.take(383 * 2 ** 20); // all but 1 MiB
  const set = newSet(memory);
  const groups = 500; // of 4 KiB each
  for (let group = 0; group < groups; group++) set.add(group * perGroup, perGroup);
  expect(set.count((groups - 2) * perGroup, 3 * perGroup)).toBe(2 * perGroup);
  expect(set.has(groups * perGroup - 1)).toBe(true);
  expect(set.has(groups * perGroup)).toBe(false);
  const pieces = newSet(memory);
  expect(() => {
    for (let group = 0; group < groups; group++) pieces.add(group * perGroup, perGroup - 1);
  }).toThrow('too much to be checked at once');
});

it('tells what was in it before, also of groups that are in it as a whole', () => {
  const memory = new MemoryBudget();
  const set = newSet(memory);
  const again = newSet(memory);
  set.add(perGroup + 100, perGroup - 100, again);
  set.add(perGroup, 100, again);
  set.add(perGroup, perGroup, again);
  expect(again.count(perGroup, perGroup)).toBe(perGroup);
  set.add(2 * perGroup - 5, 10, again);
  expect([2 * perGroup - 1, 2 * perGroup].map((block) => again.has(block))).toEqual([true, false]);
  expect(set.count(0, 4 * perGroup)).toBe(perGroup + 5);
  expect(set.first()).toBe(perGroup);
});
