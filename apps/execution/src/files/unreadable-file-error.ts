/** A file's bytes can't be read. The message is a sentence for the person. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}
