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
