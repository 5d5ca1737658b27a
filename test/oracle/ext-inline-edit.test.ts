/** Volumes whose small files and directories lie in their inodes: the kernel reads what was changed. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ImageSession } from '../../src/session/image-session';
import type { HostOperation } from '../../src/session/operations';
import { temporaryFolder } from '../bundle';
import { makeImage, mounted, run } from './support/ext-tools';

const folder = temporaryFolder();
const attribute = 'kept beside the content';

/** Files and directories as the kernel puts them into inodes, two of them with an attribute. */
function fillImage(image: string, checksums: string): void {
  const features = `inline_data,${checksums}`;
  makeImage(image, { base: 'ext4', features, blockSize: 1024, options: '-I 256', size: '32M' });
  mounted(image, 'rw', (root) => {
    for (const name of ['small', 'small/inner', 'many']) fs.mkdirSync(join(root, name));
    fs.writeFileSync(join(root, 'short'), 'short');
    fs.writeFileSync(join(root, 'middle'), Buffer.alloc(120, 'm'));
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(root, 'many', name), name);
    execFileSync('python3', [
      '-c',
      'import os, sys\nfor path in sys.argv[2:]: os.setxattr(path, "user.kept", sys.argv[1].encode())',
      attribute,
      join(root, 'middle'),
      join(root, 'small'),
    ]);
  });
}

function change(image: string, operationOf: (session: ImageSession) => HostOperation): void {
  const session = ImageSession.open(image, { stateFolder: join(folder, 'state') });
  session.edits.edit(operationOf(session));
  session.edits.save({ overwrite: false, undoLimit: 0, dropUndo: true });
  session.close();
  expect(run('e2fsck', ['-fn', image])).toContain('Pass 5');
}

it.each(['metadata_csum', '^metadata_csum'])('with %s', (checksums) => {
  const image = join(folder, `${checksums.replace('^', 'no-')}.img`);
  fillImage(image, checksums);
  const at = (session: ImageSession, path: string) => session.volume().placeAt(path);
  const nodeOf = (session: ImageSession, path: string) => at(session, path).found?.node ?? 0;
  const longNames = ['one', 'another'].map((name) => `${name} name that is as long as names are`);
  for (const name of longNames) {
    change(image, (session) => ({
      kind: 'create',
      volume: 0,
      type: 'file',
      directory: nodeOf(session, '/many'),
      name,
    }));
  }
  change(image, (session) => ({
    kind: 'writeAt',
    volume: 0,
    node: nodeOf(session, '/middle'),
    offset: 100,
    bytes: Buffer.alloc(50, 'w'),
  }));
  change(image, (session) => ({
    kind: 'truncate',
    volume: 0,
    node: nodeOf(session, '/short'),
    size: 2,
  }));
  change(image, (session) => ({
    kind: 'create',
    volume: 0,
    type: 'directory',
    directory: nodeOf(session, '/small'),
    name: 'x',
  }));
  change(image, (session) => {
    const { node } = at(session, '/small/inner').found ?? { node: 0 };
    const entry = {
      directory: nodeOf(session, '/small'),
      node,
      name: 'inner',
    };
    return {
      kind: 'move',
      volume: 0,
      entry,
      directory: nodeOf(session, '/many'),
      name: 'inner',
      replace: false,
    };
  });
  mounted(image, 'ro', (root) => {
    expect(fs.readdirSync(join(root, 'many')).sort()).toEqual(
      ['a', 'b', 'c', 'inner', ...longNames].sort(),
    );
    expect(fs.readdirSync(join(root, 'small'))).toEqual(['x']);
    expect(fs.readFileSync(join(root, 'short'), 'latin1')).toBe('sh');
    expect(fs.readFileSync(join(root, 'middle'), 'latin1')).toBe('m'.repeat(100) + 'w'.repeat(50));
    expect(fs.readFileSync(join(root, 'many/b'), 'latin1')).toBe('b');
    const read = 'import os, sys\nprint(os.getxattr(sys.argv[1], "user.kept").decode())';
    for (const name of ['middle', 'small']) {
      const value = execFileSync('python3', ['-c', read, join(root, name)], { encoding: 'utf8' });
      expect(value.trim()).toBe(attribute);
    }
  });
  // The kernel goes on from there.
  mounted(image, 'rw', (root) => {
    fs.rmSync(join(root, 'many'), { recursive: true });
    fs.writeFileSync(join(root, 'middle'), 'x');
    for (let i = 0; i < 40; i++) fs.writeFileSync(join(root, 'small', `name ${i}`), `${i}`);
  });
  run('e2fsck', ['-fn', image]);
});
