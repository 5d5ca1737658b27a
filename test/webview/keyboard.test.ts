import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { undoesTyping } from '../../webview/keyboard';

/** The elements of a browser, as far as keys ask for them. */
class FakeElement {
  readonly dataset = {};
  constructor(readonly isContentEditable = false) {}
}
class FakeInput extends FakeElement {
  constructor(readonly type: string) {
    super();
  }
}
class FakeTextArea extends FakeElement {}

const text = new FakeInput('text');

function press(key: string, held: Partial<KeyboardEvent>, target: FakeElement = text): boolean {
  const event = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
  return undoesTyping({ ...event, composedPath: () => [target] } as unknown as KeyboardEvent);
}

describe('keys that undo what is typed', () => {
  beforeAll(() => {
    vi.stubGlobal('HTMLElement', FakeElement);
    vi.stubGlobal('HTMLInputElement', FakeInput);
    vi.stubGlobal('HTMLTextAreaElement', FakeTextArea);
  });
  afterAll(() => void vi.unstubAllGlobals());

  it('are undo and redo as each system has them', () => {
    expect(press('z', { ctrlKey: true })).toBe(true);
    expect(press('y', { ctrlKey: true })).toBe(true);
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe(true);
    expect(press('z', { metaKey: true })).toBe(true);
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe(true);
  });

  it('are no other keys', () => {
    expect(press('z', {})).toBe(false);
    expect(press('s', { ctrlKey: true })).toBe(false);
    expect(press('z', { ctrlKey: true, altKey: true })).toBe(false);
    expect(press('Y', { ctrlKey: true, shiftKey: true })).toBe(false);
  });

  it('are so only where text is typed', () => {
    expect(press('z', { ctrlKey: true }, new FakeInput('search'))).toBe(true);
    expect(press('z', { ctrlKey: true }, new FakeTextArea())).toBe(true);
    expect(press('z', { ctrlKey: true }, new FakeElement(true))).toBe(true);
    expect(press('z', { ctrlKey: true }, new FakeElement())).toBe(false);
    expect(press('z', { ctrlKey: true }, new FakeInput('radio'))).toBe(false);
  });
});
