import { EditedImage } from '../../src/image/edited-image';
import { ForgetfulHost } from './forgetful-host';
import { Random } from '../support/random';

export const size = 40_000;
export const path = '/images/disk.img';
export const folders = { stateFolder: '/state', undoFolder: undefined };
export const options = { overwrite: false, undoLimit: Infinity, dropUndo: false };

export interface Scene {
  readonly host: ForgetfulHost;
  readonly image: EditedImage;
  readonly old: Uint8Array;
  readonly new: Uint8Array;
}

export const shownBy = (image: EditedImage) => {
  const bytes = new Uint8Array(size);
  image.read(0, bytes);
  return bytes;
};

/** An image with changes that are not saved; the same for the same seed. */
export function scene(seed: number): Scene {
  const random = new Random(seed);
  const host = new ForgetfulHost(random, random.one([512, 4096]));
  host.canPunch = random.below(4) > 0;
  host.canReserve = random.below(2) > 0;
  const old = random.bytes(size);
  old.fill(0, 8000, 22_000); // with a hole in it
  host.put(path, old);
  const image = EditedImage.open(path, folders, host);
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const transaction = image.begin();
    for (let writes = 1 + random.below(3); writes > 0; writes--) {
      const offset = random.below(size);
      const length = Math.min(size - offset, 1 + random.below(random.one([20, 2000, 15_000])));
      const kind = random.one(['write', 'write', 'zero', 'punch'] as const);
      if (kind === 'write') transaction.write(offset, random.bytes(length));
      else transaction[kind](offset, length);
    }
    image.commit(transaction);
  }
  return { host, image, old, new: shownBy(image) };
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Which of two states an image is in, as a word that a failed test can show. */
export function stateOf(
  { old, new: changed }: Scene,
  bytes: Uint8Array,
): 'old' | 'new' | 'between' {
  if (isSame(bytes, changed)) return 'new';
  return isSame(bytes, old) ? 'old' : 'between';
}
