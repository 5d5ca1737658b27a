import type { Role } from '../../src/protocol/requests';

export type { Role };

/** What a role is called: in the legend, and in the middle of a sentence. */
export const roleWords: Readonly<Record<Role, { readonly title: string; readonly word: string }>> =
  {
    free: { title: 'Free', word: 'free' },
    boot: { title: 'Boot and reserved sectors', word: 'boot' },
    superblock: { title: 'Superblocks', word: 'superblock' },
    descriptors: { title: 'Group descriptors', word: 'group descriptors' },
    table: { title: 'File allocation tables', word: 'FAT' },
    bitmap: { title: 'Bitmaps', word: 'bitmap' },
    inodes: { title: 'Inode tables', word: 'inode table' },
    journal: { title: 'Journal', word: 'journal' },
    directory: { title: 'Directories', word: 'directory' },
    mapping: { title: 'Block mapping', word: 'block map' },
    attributes: { title: 'Extended attributes', word: 'attributes' },
    file: { title: 'Files', word: 'file' },
    bad: { title: 'Bad', word: 'bad' },
    lost: { title: 'Lost: nothing leads there', word: 'lost' },
    allocated: { title: 'In use, owner unknown', word: 'in use' },
  };

/** All roles, in the order of the legend. */
export const roles = Object.keys(roleWords) as readonly Role[];
