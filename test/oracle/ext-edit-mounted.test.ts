import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExt } from '../../src/ext/ext-filesystem';
import type { EntryKey, VolumeEditor } from '../../src/filesystem/editing';
import type { FileSystem } from '../../src/filesystem/filesystem';
import { noProgress } from '../../src/filesystem/progress';
import { readBytes, VolumeBytes, WritableVolume } from '../../src/image/bytes';
import { EditedImage } from '../../src/image/edited-image';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { Random } from './support/edit-model';
import { fillPlainly, fillWithExtents } from './support/ext-filling';
import { headOf, makeImage, mounted, run, withFolder, type Format } from './support/ext-tools';
import { readHostTree, type Seen, type Tree } from './support/ext-tree';

const formats: readonly Format[] = [
  { base: 'ext2', blockSize: 1024, options: '-I 128 -N 4000', size: '48M' },
  { base: 'ext3', blockSize: 4096, size: '96M' },
];

/** An entry that was found in the volume. */
interface Found {
  readonly key: EntryKey;
  /** Names are bytes, one character each. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/** A volume in memory, edit by edit. */
class Volume {
  private readonly image: EditedImage;

  constructor(readonly file: string) {
    this.image = new EditedImage(new MemoryBytes(fs.readFileSync(file)));
  }

  open(): FileSystem {
    return openExt(new VolumeBytes(this.image, 0, this.image.size));
  }

  edit(change: (editor: VolumeEditor) => void): void {
    const transaction = this.image.begin();
    const { editing } = this.open();
    if (editing?.whyNot !== null) throw new Error(editing?.whyNot);
    const editor = editing.open(new WritableVolume(transaction, 0, this.image.size), {
      now: { seconds: 1_800_000_000, nanoseconds: 0 },
      policy: 'contiguous',
      progress: noProgress,
    });
    change(editor);
    editor.finish();
    this.image.commit(transaction);
  }

  /** Everything in the volume; what a directory holds stands before it. */
  entries(directory = this.open().root, prefix = ''): Found[] {
    const table = this.open().entries(directory);
    return Array.from({ length: table.length }, (_, i): Found[] => {
      const hex = table.nameHex(i);
      const name = hex === undefined ? Buffer.from(table.name(i)) : Buffer.from(hex, 'hex');
      const place = `${prefix}/${name.toString('latin1')}`;
      const isDirectory = table.type(i) === 'directory';
      const key = { directory, node: table.nodes[i], name };
      const inside = isDirectory ? this.entries(table.nodes[i], place) : [];
      return [...inside, { key, path: place, isDirectory }];
    }).flat();
  }

  /** Writes the image, has it checked, and reads it by the kernel. */
  verify(): Tree {
    fs.writeFileSync(this.file, readBytes(this.image, 0, this.image.size));
    run('e2fsck', ['-fn', this.file]);
    return mounted(this.file, 'ro', readHostTree);
  }
}

describe.each(formats)('$base that the kernel has filled', (format) => {
  it('is emptied step by step', async () => {
    await withFolder(async (folder) => {
      const file = path.join(folder, 'image');
      makeImage(file, format);
      await filled(file, format.blockSize);
      const original = mounted(file, 'ro', readHostTree);
      const volume = new Volume(file);
      const random = new Random(format.blockSize);

      const gone = volume.entries().filter((entry) => !entry.isDirectory && random.below(2) === 0);
      volume.edit((editor) => gone.forEach(({ key }) => editor.remove(key)));
      const left = new Map(original);
      for (const entry of gone) left.delete(entry.path);
      expect(lasting(volume.verify())).toEqual(lasting(left));

      const top = volume.entries().filter(({ path: place }) => place.lastIndexOf('/') === 0);
      volume.edit((editor) => {
        const target = editor.createDirectory(volume.open().root, 'below', {});
        top.forEach(({ key }, i) => editor.move(key, target, `moved ${i}`));
      });
      const order = new Map(top.map((entry, i) => [entry.path, `/below/moved ${i}`]));
      const moved = new Map(
        [...left].map(([place, seen]): [string, Seen] => {
          const first = place.split('/', 2).join('/');
          return [(order.get(first) ?? '') + place.slice(first.length), seen];
        }),
      );
      const found = new Map(volume.verify());
      expect(found.delete('/below')).toBe(true);
      expect(lasting(found)).toEqual(lasting(moved));

      mounted(file, 'rw', (root) => {
        for (let i = 0; i < 300; i++) fs.writeFileSync(path.join(root, 'below', `new ${i}`), 'new');
        fs.rmSync(path.join(root, 'below', 'moved 0'), { recursive: true });
      });
      run('e2fsck', ['-fn', file]);

      const rest = new Volume(file);
      rest.edit((editor) => rest.entries().forEach(({ key }) => editor.remove(key)));
      expect([...rest.verify().keys()]).toEqual([]);
      const head = headOf(file);
      expect(Number(head.get('Inode count')) - Number(head.get('Free inodes'))).toBe(10);
    });
  });
});

async function filled(file: string, blockSize: number): Promise<void> {
  const root = `${file}.mounted`;
  fs.mkdirSync(root);
  run('mount', ['-t', 'ext4', '-o', 'loop', file, root]);
  try {
    await fillPlainly(root, 1200);
    fillWithExtents(root, { blockSize, unwritten: false });
  } finally {
    run('umount', [root]);
  }
  const attribute = 'v'.repeat(200);
  const commands = ['bytes-59', 'empty', 'nested', 'link-200', 'null'].map(
    (name) => `ea_set ${name} user.name ${attribute}`,
  );
  run('debugfs', ['-w', '-f', '-', file], commands.join('\n'));
}

/** What no change of names elsewhere changes. */
function lasting(tree: Tree): Record<string, object> {
  return Object.fromEntries(
    [...tree]
      .map(([place, seen]): [string, object] => {
        const { id, type, mode, uid, gid, device, target, sha256, size, modified } = seen;
        const common = { id, type, mode, uid, gid, device, target };
        return [place, type === 'directory' ? common : { ...common, sha256, size, modified }];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
