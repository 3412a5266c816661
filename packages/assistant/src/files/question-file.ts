/** A file that came with the question. */
export interface QuestionFile {
  readonly name: string;
  /** As the sender calls it, or `application/octet-stream`. */
  readonly mediaType: string;
  /** Bytes, as far as it is known before it is read. */
  readonly size?: number | undefined;
  /** Rejects with a sentence for the person when the content can't be had. */
  read(): Promise<Uint8Array>;
}

/** A file that the model doesn't get, and why, as a sentence. */
export interface RefusedFile {
  readonly name: string;
  readonly why: string;
}

/** What works, for the person whose file does not. */
export const readableFiles = "I read images (PNG, JPEG, GIF, WebP), PDF, and text such as CSV, JSON or Markdown.";
