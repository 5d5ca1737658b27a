import type {
  AllocationPlan,
  EditOptions,
  EntryKey,
  NewNode,
  NodeChanges,
  PreallocationRequest,
  VolumeEditor,
} from '../../filesystem/editing';
import type { NodeId } from '../../filesystem/node';
import type { WritableVolume } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { iBlockOf, inodeFlags, inodeStructure, readInode, rootInode, type Inode } from '../inode';
import { sameBytes } from '../record-writer';
import { isDots, nodeTypesByRecord } from '../records';
import { superblock } from '../superblock';
import { bytesOf } from '../volume-writer';
import { releaseAttributes } from './attribute-blocks';
import { openContext, type EditContext } from './context';
import { EditedDirectories } from './edited-directories';
import type { EditedDirectory, FoundRecord } from './edited-directory';
import { doubtAboutEdit } from './editable';
import { FileWriter, releaseContent } from './file-writer';
import { requireOpenContent, requireOpenNames } from './guarded-inodes';
import { takeContentOut } from './inline-content';
import { setInodeTime, stampInode, type InodeTime } from './inode-times';
import { encodeName } from './names';
import { changeInode, requireOwner } from './node-changes';

const permissionMask = 0o7777;
const setGroupBit = 0o2000;
const typeBits = { file: 0o100000, directory: 0o040000, symlink: 0o120000 } as const;
const usualModes = { file: 0o644, directory: 0o755, symlink: 0o777 } as const;
type NewType = keyof typeof typeBits;

/** `EXT2_LINK_MAX` and `EXT3_LINK_MAX` of Linux: names of a file, and of a directory with all `..`. */
const mostLinks = 32_000;
const mostLinksOfExt4 = 65_000; // EXT4_LINK_MAX

/** Changes an ext2, ext3 or ext4 volume. */
export class ExtEditor implements VolumeEditor {
  readonly notes: string[] = [];
  private readonly context: EditContext;
  private readonly directories: EditedDirectories;

  /** @param target a volume of which `whyNotEditable` says nothing */
  constructor(target: WritableVolume, options: EditOptions) {
    this.context = openContext(target, options);
    this.directories = new EditedDirectories(this.context, this.notes);
    const doubt = doubtAboutEdit(this.context.volume);
    if (doubt) this.notes.push(doubt);
  }

  createFile(directory: NodeId, name: string, details: NewNode): NodeId {
    const parent = this.directoryFor(directory);
    const bytes = absent(parent, name);
    return this.create(parent, bytes, 'file', details);
  }

  createDirectory(directory: NodeId, name: string, details: NewNode): NodeId {
    const parent = this.directoryFor(directory);
    const bytes = absent(parent, name);
    this.requireLinkTo(directory, 'subdirectories');
    const number = this.create(parent, bytes, 'directory', details);
    this.directories.get(number).start(directory, this.recordType(this.inode(number)));
    this.setModified(number, details);
    this.addLinks(directory, 1);
    return number;
  }

  createSymlink(directory: NodeId, name: string, target: string, details: NewNode): NodeId {
    const parent = this.directoryFor(directory);
    const bytes = absent(parent, name);
    const content = this.encodeTarget(target);
    const { i_block } = inodeStructure.fields;
    const isShort = content.length < i_block.length;
    const number = this.create(parent, bytes, 'symlink', details, !isShort);
    if (isShort) {
      this.context.writer.editInode(number, (raw) => {
        bytesOf(iBlockOf(raw)).set(content);
        inodeStructure.set(raw, 'i_size_lo', content.length);
      });
    } else {
      new FileWriter(this.context, number).write(0, content);
      this.setModified(number, details);
    }
    return number;
  }

  createLink(directory: NodeId, name: string, node: NodeId): void {
    const parent = this.directoryFor(directory);
    const bytes = absent(parent, name);
    const inode = this.changeable(node);
    if (inode.type === 'directory') {
      throw new ImageError('not-a-file', 'A directory has one name only; it gets no other.');
    }
    this.requireLinkTo(node, 'names');
    this.addName(parent, bytes, inode);
    this.addLinks(node, 1);
    this.stamp(node, 'i_ctime');
  }

  remove(entry: EntryKey): void {
    const { directory, found } = this.findEntry(entry);
    const inode = this.inode(entry.node);
    if (inode.isUnused) {
      // The name leads nowhere, so it is all there is.
      this.removeRecord(directory, found);
      return;
    }
    this.removable(entry.node);
    if (inode.type === 'directory') {
      if (!this.directories.get(entry.node).isEmpty) {
        throw new ImageError('not-empty', `“${nameOf(entry)}” is not empty.`);
      }
      this.removeRecord(directory, found);
      this.addLinks(directory.number, -1);
      this.free(entry.node);
    } else {
      this.removeRecord(directory, found);
      if (inode.links > 1) {
        this.addLinks(entry.node, -1);
        this.stamp(entry.node, 'i_ctime');
      } else {
        this.free(entry.node);
      }
    }
  }

  move(entry: EntryKey, directory: NodeId, name: string): NodeId {
    const source = this.findEntry(entry);
    const target = this.directoryFor(directory);
    const bytes = encodeName(name);
    const staysInside = target.number === source.directory.number;
    if (staysInside && sameBytes(bytes, entry.name)) return entry.node;
    requireAbsent(target, bytes, name);
    const inode = this.removable(entry.node);
    const isDirectoryMoved = inode.type === 'directory' && !staysInside;
    if (isDirectoryMoved) {
      this.directories.requireOutside(directory, entry.node);
      this.requireLinkTo(directory, 'subdirectories');
    }
    // Removed first, so that a name can be changed on a full volume too.
    this.removeRecord(source.directory, source.found);
    this.addName(target, bytes, inode);
    if (isDirectoryMoved) {
      this.directories.get(entry.node).setParent(directory);
      this.addLinks(source.directory.number, -1);
      this.addLinks(directory, 1);
    }
    this.stamp(entry.node, 'i_ctime');
    return entry.node;
  }

  setSize(node: NodeId, size: number): void {
    this.fileWriter(node).setSize(size);
  }

  write(node: NodeId, offset: number, bytes: Uint8Array): void {
    this.fileWriter(node).write(offset, bytes);
  }

  preallocate(node: NodeId, request: PreallocationRequest): AllocationPlan {
    return this.fileWriter(node).preallocate(request);
  }

  change(node: NodeId, changes: NodeChanges): void {
    const inode = this.changeable(node);
    this.context.writer.editInode(node, (raw) =>
      changeInode(raw, inode, changes, this.context.now),
    );
  }

  setLabel(label: string): void {
    const { length } = superblock.fields.s_volume_name;
    const bytes = new TextEncoder().encode(label);
    if (bytes.length > length || bytes.includes(0)) {
      throw new ImageError(
        'usage',
        `A label of ext has at most ${length} bytes, none of them zero.`,
      );
    }
    this.context.writer.editSuperblock((raw) => superblock.set(raw, 's_volume_name', label));
  }

  finish(): void {
    const { seconds } = this.context.now;
    this.context.writer.editSuperblock((raw) => {
      superblock.set(raw, 's_wtime', seconds >>> 0);
      superblock.set(raw, 's_wtime_hi', Math.floor(seconds / 2 ** 32) & 0xff);
    });
    this.context.store.flush();
  }

  private create(
    parent: EditedDirectory,
    name: Uint8Array,
    type: NewType,
    { mode, uid = 0, gid, modified }: NewNode,
    hasBlocks = true,
  ): number {
    const { inodes, writer } = this.context;
    const owner = this.inode(parent.number);
    // In a directory with the set-group-ID bit what is new belongs to its group.
    const handsDown = (owner.mode & setGroupBit) !== 0;
    const ownGroup = gid ?? (handsDown ? owner.gid : 0);
    requireOwner(uid);
    requireOwner(ownGroup);
    const inherited = type === 'directory' && handsDown ? setGroupBit : 0;
    const permissions = (mode ?? usualModes[type] | inherited) & permissionMask;
    const number = inodes.create(parent.number, {
      mode: typeBits[type] | permissions,
      uid,
      gid: ownGroup,
      links: type === 'directory' ? 2 : 1,
      hasExtents: hasBlocks && this.context.volume.geometry.features.has('extent'),
      ...(modified && { modified }),
    });
    this.addName(parent, name, readInode(writer.volume, number));
    return number;
  }

  private addName(directory: EditedDirectory, name: Uint8Array, inode: Inode): void {
    requireOpenNames(this.inode(directory.number));
    const record = { inode: inode.number, name, fileType: this.recordType(inode) };
    const { number } = directory;
    const target = directory.isFull(record) ? this.directories.moveToBlocks(number) : directory;
    target.add(record);
    this.stamp(directory.number, 'i_mtime', 'i_ctime');
  }

  private removeRecord(directory: EditedDirectory, found: FoundRecord): void {
    directory.remove(found);
    this.stamp(directory.number, 'i_mtime', 'i_ctime');
  }

  /** What a record says of the type of an inode. */
  private recordType({ type }: Inode): number {
    if (!this.context.volume.geometry.features.has('filetype')) return 0;
    return Math.max(0, nodeTypesByRecord.indexOf(type));
  }

  /** Gives an inode back with all that it has. */
  private free(number: number): void {
    releaseContent(this.context, number);
    releaseAttributes(this.context, number);
    this.context.inodes.free(number);
    this.directories.forget(number);
  }

  private inode(number: number): Inode {
    return readInode(this.context.volume, number);
  }

  /** @throws ImageError `read-only` for what belongs to the volume itself; `not-found` */
  private changeable(number: NodeId): Inode {
    const { firstInode, values } = this.context.volume.geometry;
    const isReserved = number < firstInode && number !== rootInode;
    if (isReserved || [values.s_journal_inum, values.s_orphan_file_inum].includes(number)) {
      const message = `Inode ${number} belongs to the volume itself and is not changed.`;
      throw new ImageError('read-only', message);
    }
    const inode = this.inode(number);
    if (inode.isUnused) throw new ImageError('not-found', `Inode ${number} is not in use.`);
    return inode;
  }

  /** As `changeable`; the root has no name that could go. */
  private removable(number: NodeId): Inode {
    if (number !== rootInode) return this.changeable(number);
    throw new ImageError('read-only', 'The root of the volume stays where it is.');
  }

  private directoryFor(number: NodeId): EditedDirectory {
    this.changeable(number);
    return this.directories.get(number);
  }

  /** @throws ImageError `not-a-file` for all but regular files */
  private fileWriter(number: NodeId): FileWriter {
    const inode = this.changeable(number);
    if (inode.type !== 'file') {
      const message = `Inode ${number} is no file whose content can be changed.`;
      throw new ImageError('not-a-file', message);
    }
    requireOpenContent(inode);
    if (!inode.has(inodeFlags.inlineData)) return new FileWriter(this.context, number);
    const content = takeContentOut(this.context, number);
    const writer = new FileWriter(this.context, number);
    writer.setSize(inode.size);
    writer.write(0, content);
    return writer;
  }

  private findEntry(entry: EntryKey): { directory: EditedDirectory; found: FoundRecord } {
    const directory = this.directoryFor(entry.directory);
    // What `.` and `..` lead to has a name elsewhere.
    const found = isDots(entry.name) ? null : directory.find(entry.name, entry.node);
    if (found) return { directory, found };
    throw new ImageError('not-found', `There is no “${nameOf(entry)}” any more.`);
  }

  private encodeTarget(target: string): Uint8Array {
    const { blockSize } = this.context.volume.geometry;
    const bytes = new TextEncoder().encode(target);
    if (bytes.length > 0 && bytes.length < blockSize && !bytes.includes(0)) return bytes;
    const message = `A symlink leads to a path of 1 to ${blockSize - 1} bytes, none of them zero.`;
    throw new ImageError('usage', message);
  }

  private requireLinkTo(number: number, what: string): void {
    const { features } = this.context.volume.geometry;
    const { links, type } = this.inode(number);
    if (type === 'directory' && features.has('dir_nlink')) return; // it stops to count
    if (links < (features.type === 'ext4' ? mostLinksOfExt4 : mostLinks)) return;
    throw new ImageError('full', `Inode ${number} can have no more ${what}.`);
  }

  private addLinks(number: number, count: number): void {
    const { type, links } = this.inode(number);
    // A directory with more names than can be counted says 1, and keeps to that.
    if (type === 'directory' && links === 1) return;
    const after = links + count > mostLinksOfExt4 ? 1 : Math.max(0, links + count);
    this.context.writer.editInode(number, (raw) => inodeStructure.set(raw, 'i_links_count', after));
  }

  /** Content that was written has stamped the node with now. */
  private setModified(number: number, { modified }: NewNode): void {
    if (!modified) return;
    this.context.writer.editInode(number, (raw) => setInodeTime(raw, 'i_mtime', modified));
  }

  private stamp(number: number, ...times: InodeTime[]): void {
    this.context.writer.editInode(number, (raw) => stampInode(raw, this.context.now, times));
  }
}

function nameOf({ name }: EntryKey): string {
  return new TextDecoder().decode(name);
}

/** @returns the bytes of a name that the directory does not hold yet */
function absent(directory: EditedDirectory, name: string): Uint8Array {
  const bytes = encodeName(name);
  requireAbsent(directory, bytes, name);
  return bytes;
}

function requireAbsent(directory: EditedDirectory, bytes: Uint8Array, name: string): void {
  if (directory.find(bytes)) throw new ImageError('exists', `“${name}” is there already.`);
}
