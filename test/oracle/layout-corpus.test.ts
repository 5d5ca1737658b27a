import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { ImageSession } from '../../src/session/image-session';
import type { SpaceMap } from '../../src/session/layout-answers';
import type { OpenVolume } from '../../src/session/open-volume';
import { corpus, corpusCases } from './support/corpus';

/** Unpacking larger ones would take longer than all the rest. */
const largest = 32 * 2 ** 20;
const images = corpusCases(largest);

/** The answer, or undefined where there is none and one line says why. */
function ask<Answer>(question: () => Answer): Answer | undefined {
  try {
    return question();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    expect(error.message).toMatch(/^[^\n]+\.$/);
    return undefined;
  }
}

/** So many numbers from 0 on, spread over all. */
const spread = (count: number, all: number) =>
  Array.from({ length: Math.min(count, all) }, (_, i) => Math.floor((i * all) / count));

function checkSpace(volume: OpenVolume): void {
  const { layout, fileSystem } = volume;
  const { first, count } = fileSystem.unit;
  const { root: highlight } = fileSystem;
  const query = { volume: 0, first, units: count, cells: 300, highlight };
  const checkMap = (map: SpaceMap | undefined) => {
    if (map) expect(map.totals.reduce((sum, units) => sum + units)).toBe(count);
  };
  checkMap(ask(() => layout.spaceMap({ ...query, highlight: null })));
  ask(() => layout.findOwners());
  checkMap(ask(() => layout.spaceMap(query)));
  for (const index of spread(40, count)) {
    const unit = first + index;
    const owner = ask(() => layout.owner(unit));
    if (!owner) continue;
    expect(owner.start).toBeLessThanOrEqual(unit);
    expect(owner.start + owner.length).toBeGreaterThan(unit);
    expect(owner.offset).toBe(fileSystem.offsetOf(owner.start));
  }
}

function checkRecords({ layout, fileSystem }: OpenVolume): void {
  const pending = [fileSystem.root];
  const seen = new Set(pending);
  for (let id = pending.pop(); id !== undefined && seen.size < 200; id = pending.pop()) {
    const directory = id;
    for (const [index, block] of (ask(() => layout.rawDirectory(directory))?.blocks ?? [])
      .slice(0, 30)
      .entries()) {
      const [records] = ask(() => layout.records(directory, index, 1)) ?? [[]];
      for (const { offset, length, used } of records) {
        expect(offset).toBeGreaterThanOrEqual(block.offset);
        expect(offset + length).toBeLessThanOrEqual(block.offset + block.length);
        expect(used).toBeLessThanOrEqual(length);
      }
    }
    const table = ask(() => fileSystem.entries(directory));
    for (let i = 0; table && i < table.length; i++) {
      if (table.type(i) !== 'directory' || seen.has(table.nodes[i])) continue;
      seen.add(table.nodes[i]);
      pending.push(table.nodes[i]);
    }
  }
}

function checkStructures({ layout }: ImageSession, volume: number | null): void {
  const visit = (key: string | null, depth: number) => {
    const level = ask(() => layout.structureBranches(volume, key)) ?? [];
    expect(level.length).toBeLessThan(5000);
    for (const branch of level.filter((_, i) => i < 6 || i === level.length - 1)) {
      const structure = ask(() => layout.structure(volume, branch.key));
      if (structure && branch.offset !== null) expect(structure.offset).toBe(branch.offset);
      if (branch.hasChildren && depth < 4) visit(branch.key, depth + 1);
    }
  };
  visit(null, 0);
}

describe.skipIf(images.length === 0)(
  'how images lie on disk that others found worth keeping',
  () => {
    it.each(images)('$name', ({ image }) => {
      const packed = fs.readFileSync(path.join(corpus, image));
      const bytes = image.endsWith('.br') ? brotliDecompressSync(packed) : packed;
      const session = new ImageSession(new MemoryBytes(bytes));
      checkStructures(session, null);
      for (const { index, unreadable } of session.summary().volumes) {
        if (unreadable !== null) continue;
        checkSpace(session.volume(index));
        checkRecords(session.volume(index));
        checkStructures(session, index);
        if (!ask(() => session.journal(index))?.needsRecovery) continue;
        ask(() => session.showReplayed(index, true));
        checkSpace(session.volume(index));
        checkRecords(session.volume(index));
      }
      for (const offset of spread(50, bytes.length)) {
        ask(() => session.layout.structuresAt(offset, 4096));
        session.layout.placeAt(offset);
      }
    });
  },
);
