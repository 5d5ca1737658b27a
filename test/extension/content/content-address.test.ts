import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { URI } from 'vscode-uri';
import {
  canLead,
  canonicalPath,
  contentScheme,
  fromUriParts,
  toUriParts,
  type ContentAddress,
} from '../../../src/extension/content/content-address';

/** Through VS Code's own URIs, as text and back: what a window that is restored does. */
function roundTrip(address: ContentAddress): ContentAddress | undefined {
  const uri = URI.from({ scheme: contentScheme, ...toUriParts(address) });
  return fromUriParts(URI.parse(uri.toString(), true));
}

const images = [
  'file:///home/a/disk.img',
  'file:///c%3A/images/disk%20one.img',
  'file:///a%25b%23c%3Fd%26e%3Df%2Bg.img',
  'file://server/share/d%C3%AFsk.img',
  'vscode-vfs://github/owner/repository/disk.img?ref=main#L1',
  // An image inside an image inside an image.
  URI.from({
    scheme: contentScheme,
    ...toUriParts({ image: 'file:///a%20b.img', volume: 1, path: '/in ner#1.img' }),
  }).toString(),
];

describe('a file inside an image survives its URI', () => {
  it.each([
    '/',
    '/plain.txt',
    '/100%.txt',
    '/100%25.txt',
    '/%2e%2e/x',
    '/#hash?query&a=b+c',
    '/ leading and trailing ',
    '/日本語/ñandú/🙂.c',
    '/back\\slash:colon|*"<>',
    '/<img src=x onerror=alert(1)>',
    '/\u0001\u007f\n',
    '/\uFFFD\uFFFD.txt',
    `/${'long'.repeat(1000)}`,
  ])('%j', (path) => {
    for (const image of images) {
      const address = { image, volume: 3, path };
      expect(roundTrip(address)).toEqual(address);
    }
  });

  it('with any name', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.replace(/\//g, ''));
    const path = fc.array(name).map((steps) => canonicalPath(steps.join('/')));
    fc.assert(
      fc.property(path, fc.nat(), fc.constantFrom(...images), (steps, volume, image) => {
        const address = { image, volume, path: steps };
        expect(roundTrip(address)).toEqual(address);
      }),
    );
  });

  it('by its node, where no path leads to it', () => {
    const address = { image: images[0], volume: 0, path: '/\uFFFD', node: 2 ** 52 + 1 };
    expect(roundTrip(address)).toEqual(address);
    expect(roundTrip({ ...address, node: 0 })?.node).toBe(0);
  });
});

it('shows a name that reorders or hides text by what it is, and leads to it by its node', () => {
  const path = '/photos/\u202egpj.exe\n';
  expect(canLead(path)).toBe(false);
  expect(canLead('/photos/../x')).toBe(false);
  expect(canLead('/photos/مرحبا 👩‍🚀.txt')).toBe(true);
  const address = { image: images[0], volume: 0, path, node: 12 };
  expect(toUriParts(address).path).toBe('/photos/‹U+202E›gpj.exe␊');
  expect(roundTrip(address)?.node).toBe(12);
});

it('differs from that of the same path in another image or volume', () => {
  const uris = images.flatMap((image) =>
    [0, 1].map((volume) =>
      URI.from({ scheme: contentScheme, ...toUriParts({ image, volume, path: '/a' }) }).toString(),
    ),
  );
  expect(new Set(uris).size).toBe(uris.length);
});

it('keeps the name at the end of the path, and the image for its siblings', () => {
  const address = { image: images[0], volume: 0, path: '/src/main.c' };
  const uri = URI.from({ scheme: contentScheme, ...toUriParts(address) });
  expect(uri.path).toBe('/src/main.c');
  expect(fromUriParts(uri.with({ path: '/src/other.c' }))).toEqual({
    ...address,
    path: '/src/other.c',
  });
});

it('takes no step of a hostile path for a way up', () => {
  expect(canonicalPath('//a/../.././b//c/')).toBe('/a/b/c');
  expect(canonicalPath('')).toBe('/');
});

it.each([
  '',
  'image=file:///a.img',
  'volume=0',
  'image=&volume=0',
  'image=file:///a.img&volume=-1',
  'image=file:///a.img&volume=1.5',
  'image=file:///a.img&volume=1e3',
  'image=file:///a.img&volume=99999999999999999999',
])('names nothing with the query %j', (query) => {
  expect(fromUriParts({ path: '/a', query })).toBeUndefined();
});
