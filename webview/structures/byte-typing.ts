/** What is typed over the bytes of an image, until it is written. */

/** The two ways in which bytes are shown, and typed. */
export type HexColumn = 'hex' | 'text';

/** What is typed on within this time is one change, in milliseconds. */
const typingPause = 1000;
/** A change holds no more, in bytes. */
const mostBytes = 4096;

/** Writes bytes into the image; tells by itself what goes wrong. */
export type WriteBytes = (offset: number, bytes: Uint8Array) => Promise<void>;

/** Gathers bytes that are typed one after the other into changes. Nothing is ever inserted. */
export class ByteTyping {
  column: HexColumn = 'hex';

  /** Where the first of the typed bytes lies in the image. */
  private start = 0;
  private typed: number[] = [];
  /** The first digit of a byte, and where that lies. */
  private half: { readonly offset: number; readonly digit: string } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly write: WriteBytes,
    private readonly changed: () => void,
  ) {}

  /** Bytes that are typed and not written yet. */
  get pending(): number {
    return this.typed.length;
  }

  /** Whether there is anything that `drop` would give up. */
  get isActive(): boolean {
    return this.pending > 0 || this.half !== null;
  }

  /** A byte that is typed and not written yet; undefined where there is none. */
  byte(offset: number): number | undefined {
    return this.typed[offset - this.start];
  }

  /** The digit that has been typed of a byte; null where there is none. */
  digit(offset: number): string | null {
    return this.half?.offset === offset ? this.half.digit : null;
  }

  /**
   * Takes a key, typed at a byte.
   * @returns where to go on; null where the column has no use for the key
   */
  type(key: string, offset: number): number | null {
    if (this.column === 'text') {
      if (!/^[\x20-\x7e]$/.test(key)) return null;
      return this.add(key.charCodeAt(0), offset);
    }
    if (!/^[\da-f]$/i.test(key)) return null;
    const first = this.digit(offset);
    if (first !== null) return this.add(parseInt(first + key, 16), offset);
    this.half = { offset, digit: key.toLowerCase() };
    this.changed();
    return offset;
  }

  /** Takes the last digit or byte back; null where nothing is typed, else where to go on. */
  back(): number | null {
    if (!this.isActive) return null;
    const at = this.half?.offset ?? this.start + this.typed.length - 1;
    if (this.half) this.half = null;
    else this.typed.pop();
    this.changed();
    return at;
  }

  /** Writes what is typed; half a byte is none. */
  leave(): void {
    this.half = null;
    this.flush();
    this.changed();
  }

  /** Gives up what is not written yet; false where there is nothing. */
  drop(): boolean {
    if (!this.isActive) return false;
    clearTimeout(this.timer);
    this.half = null;
    this.typed = [];
    this.changed();
    return true;
  }

  private add(byte: number, offset: number): number {
    const goesOn = offset === this.start + this.typed.length;
    if (!goesOn || this.typed.length >= mostBytes) this.flush();
    if (this.typed.length === 0) this.start = offset;
    this.typed.push(byte);
    this.half = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), typingPause);
    this.changed();
    return offset + 1;
  }

  private flush(): void {
    clearTimeout(this.timer);
    if (this.typed.length === 0) return;
    const bytes = Uint8Array.from(this.typed);
    this.typed = [];
    void this.write(this.start, bytes);
  }
}
