import { badBlocksInode, inodeStructure, rootInode } from '../inode';
import type { CheckContext } from './context';
import { inodeFacts } from './inode-columns';
import type { InodeTableReader } from './table-reader';

/** More subdirectories than that are not counted: the count is 1 then (feature `dir_nlink`). */
const mostLinks = 65_000;

/** The fourth pass: whether as many names lead to an inode as it says. */
export class LinkPass {
  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {}

  run(): void {
    const { inodes, progress, volume } = this.context;
    const { inodesPerGroup, firstInode, values } = volume.geometry;
    const hasValues = this.context.valueReferences.size > 0;
    const hidden = [values.s_prj_quota_inum, values.s_orphan_file_inum];
    for (const { group, flags, links, names } of inodes.groups()) {
      progress.report(group, this.context.groups.count);
      for (let i = 0; i < flags.length; i++) {
        if ((flags[i] & inodeFacts.used) === 0) continue;
        const isPlain = links[i] === names[i] && names[i] > 0 && names[i] <= mostLinks;
        if (isPlain && (flags[i] & inodeFacts.attributeValue) === 0 && !hasValues) continue;
        const number = group * inodesPerGroup + i + 1;
        const isReserved = number === badBlocksInode || (number > rootInode && number < firstInode);
        if (!isReserved && !hidden.includes(number)) this.check(number, flags[i]);
      }
    }
  }

  private check(number: number, facts: number): void {
    if ((facts & (inodeFacts.unnamed | inodeFacts.onBadBlock)) !== 0) return;
    const { inodes, valueReferences } = this.context;
    const references = valueReferences.get(number) ?? 0;
    let names = inodes.names(number);
    if (references > 0) {
      this.checkReferences(number, references);
      names = 1;
    } else if ((facts & inodeFacts.attributeValue) !== 0 && names > 0) {
      const message = `Inode ${number} is marked as the value of an attribute, but none uses it.`;
      this.add('ext-attribute-value-unused', number, message, 'i_flags');
    }
    if (names === 0) {
      const message = `Inode ${number} is in use, but no name leads to it.`;
      this.add('ext-inode-unattached', number, message, 'i_links_count');
      return;
    }
    const isDirectory = (facts & inodeFacts.directory) !== 0;
    const expected = isDirectory && names > mostLinks ? 1 : names;
    const links = inodes.links(number);
    if (links === expected) return;
    const message = `Inode ${number} counts ${links} names, but has ${expected}.`;
    this.add('ext-inode-links', number, message, 'i_links_count');
  }

  /** A value counts its uses where files have a time and a version. */
  private checkReferences(number: number, references: number): void {
    const inode = this.tables.cursor(number);
    if (!inode) return;
    const changed = inode.u32(inode.fieldOffset('i_ctime'));
    const claimed = changed * 2 ** 32 + inode.u32(inode.fieldOffset('i_version'));
    const isLustre = changed === inode.u32(inode.fieldOffset('i_atime'));
    if (claimed === references || isLustre) return;
    const message = `Inode ${number} holds a value that ${references} attributes use, but counts ${claimed}.`;
    this.add('ext-attribute-value-count', number, message, 'i_version');
  }

  private add(
    code:
      | 'ext-inode-unattached'
      | 'ext-inode-links'
      | 'ext-attribute-value-unused'
      | 'ext-attribute-value-count',
    number: number,
    message: string,
    field: keyof typeof inodeStructure.fields,
  ): void {
    const start = this.context.volume.bytes.offset + (this.tables.offset(number) ?? 0);
    const { offset, length } = inodeStructure.fields[field];
    this.context.report.add(code, message, {
      offset: start + offset,
      length,
      inode: number,
      field: `inode.${field}`,
    });
  }
}
