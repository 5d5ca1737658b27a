/** The three feature words of a superblock: what each bit is called, and what it means for readers. */

/** Names by bit, as dumpe2fs prints them; a missing name prints as `FEATURE_C7` and the like. */
const names = {
  compat: {
    0x1: 'dir_prealloc',
    0x2: 'imagic_inodes',
    0x4: 'has_journal',
    0x8: 'ext_attr',
    0x10: 'resize_inode',
    0x20: 'dir_index',
    0x40: 'lazy_bg',
    0x100: 'snapshot_bitmap',
    0x200: 'sparse_super2',
    0x400: 'fast_commit',
    0x800: 'stable_inodes',
    0x1000: 'orphan_file',
  },
  incompat: {
    0x1: 'compression',
    0x2: 'filetype',
    0x4: 'needs_recovery',
    0x8: 'journal_dev',
    0x10: 'meta_bg',
    0x40: 'extent',
    0x80: '64bit',
    0x100: 'mmp',
    0x200: 'flex_bg',
    0x400: 'ea_inode',
    0x1000: 'dirdata',
    0x2000: 'metadata_csum_seed',
    0x4000: 'large_dir',
    0x8000: 'inline_data',
    0x10000: 'encrypt',
    0x20000: 'casefold',
  },
  roCompat: {
    0x1: 'sparse_super',
    0x2: 'large_file',
    0x4: 'btree_dir',
    0x8: 'huge_file',
    0x10: 'uninit_bg',
    0x20: 'dir_nlink',
    0x40: 'extra_isize',
    0x80: 'snapshot',
    0x100: 'quota',
    0x200: 'bigalloc',
    0x400: 'metadata_csum',
    0x800: 'replica',
    0x1000: 'read-only',
    0x2000: 'project',
    0x4000: 'shared_blocks',
    0x8000: 'verity',
    0x10000: 'orphan_present',
  },
} as const;

type NameIn<Word> = Word[keyof Word];
export type FeatureName =
  | NameIn<(typeof names)['compat']>
  | NameIn<(typeof names)['incompat']>
  | NameIn<(typeof names)['roCompat']>;

/** What the ext3 driver of Linux knows; a volume with any other bit is ext4 (libblkid's rule). */
const knownToExt3 = { incompat: 0x2 | 0x4 | 0x10, roCompat: 0x1 | 0x2 | 0x4 };

/** The features of a volume. */
export class Features {
  /** All that are set, in the order and with the names of dumpe2fs. */
  readonly names: readonly string[];
  /** Incompatible features without a name: what they change may be misread. */
  readonly unknownIncompatible: readonly string[];
  private readonly set: ReadonlySet<string>;

  constructor(
    readonly compat: number,
    readonly incompat: number,
    readonly roCompat: number,
  ) {
    this.names = [
      ...nameBits(compat, names.compat, 'C'),
      ...nameBits(incompat, names.incompat, 'I'),
      ...nameBits(roCompat, names.roCompat, 'R'),
    ];
    this.unknownIncompatible = this.names.filter((name) => name.startsWith('FEATURE_I'));
    this.set = new Set(this.names);
  }

  has(name: FeatureName): boolean {
    return this.set.has(name);
  }

  /** Group descriptors carry a checksum, and with it the flags of uninitialised groups count. */
  get describesUninitialised(): boolean {
    return this.has('uninit_bg') || this.has('metadata_csum');
  }

  /** Which of the three the volume is by its features. */
  get type(): 'ext2' | 'ext3' | 'ext4' {
    const beyondExt3 =
      (this.incompat & ~knownToExt3.incompat) !== 0 ||
      (this.roCompat & ~knownToExt3.roCompat) !== 0;
    if (beyondExt3) return 'ext4';
    return this.has('has_journal') ? 'ext3' : 'ext2';
  }
}

function nameBits(word: number, known: Readonly<Record<number, string>>, letter: string): string[] {
  const found: string[] = [];
  for (let bit = 0; bit < 32; bit++) {
    const mask = (1 << bit) >>> 0;
    if ((word & mask) !== 0) found.push(known[mask] ?? `FEATURE_${letter}${bit}`);
  }
  return found;
}
