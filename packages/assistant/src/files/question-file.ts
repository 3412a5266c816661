/** A file that came with the question. */
export interface QuestionFile {
  readonly name: string;
  /** The sender's media type, or `application/octet-stream`. */
  readonly mediaType: string;
  /** Bytes, if known before the file is read. */
  readonly size?: number | undefined;
  /** Rejects with a sentence for the requester when the content can't be read. */
  read(): Promise<Uint8Array>;
}

/** A file that the model doesn't receive, with a sentence that says why. */
export interface RefusedFile {
  readonly name: string;
  readonly why: string;
}

/** The supported types, for a requester whose file is not supported. */
export const readableFiles = "I read images (PNG, JPEG, GIF, WebP), PDF, and text such as CSV, JSON or Markdown.";
