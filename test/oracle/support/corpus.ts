import * as fs from 'node:fs';
import * as path from 'node:path';

/** An image that others made, with what they say of it. */
export interface CorpusCase {
  readonly name: string;
  /** Below `corpus`. */
  readonly image: string;
  readonly size: number;
  /** What the reference checker says, where it was asked. */
  readonly check?: {
    readonly verdict: 'clean' | 'errors' | 'unreadable' | null;
    readonly problems: readonly { readonly ino?: number }[];
  };
}

export const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');

/** The cases of at most so many bytes; none where the corpus does not stand beside the checkout. */
export function corpusCases(largest: number): CorpusCase[] {
  return ['ext.jsonl', 'fat.jsonl'].flatMap((list) => {
    const facts = path.join(corpus, list);
    if (!fs.existsSync(facts)) return [];
    const lines = fs.readFileSync(facts, 'utf8').split('\n').filter(Boolean);
    const cases = lines.map((line) => JSON.parse(line) as CorpusCase);
    return cases.filter(({ size }) => size <= largest);
  });
}
