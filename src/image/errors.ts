/** Why a question about an image cannot be answered, or an operation is refused. */
export type ImageErrorCode =
  | 'unreadable' // the bytes cannot be read, or hold no known filesystem
  | 'unwritable' // the host cannot write, or must not
  | 'no-room' // the host has no room for what should be written
  | 'corrupt' // the structures that would answer the question are broken
  | 'not-found'
  | 'not-a-directory'
  | 'not-a-file'
  | 'unsupported'
  | 'read-only' // the volume or the image cannot be changed, and the message says why
  | 'full' // the volume has no room for what should be written
  | 'exists' // an entry of that name is there already
  | 'not-empty' // a directory that holds something is not removed without what it holds
  | 'conflict' // another program changed the image since it was read
  | 'usage' // the question itself makes no sense: a bad path, a volume that is not there
  | 'cancelled';

/** The one exception of the engine. Its message is a whole sentence for a person, on one line. */
export class ImageError extends Error {
  override readonly name = 'ImageError';

  constructor(
    readonly code: ImageErrorCode,
    message: string,
  ) {
    super(message);
  }
}
