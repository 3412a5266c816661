/** What `${…}` in a definition points at. */
export interface Reference {
  /** As the author wrote it, with its braces. */
  readonly text: string;
  /** Names of members and indexes; the first says where to begin: `workflow`, `steps`, a step's id or the name of a variable. */
  readonly path: readonly (string | number)[];
  /** Stands in when the path leads nowhere or to null. */
  readonly fallback?: { readonly value: unknown };
}

/** A reference that cannot be read; `at` is where it begins, counted from the start of the text. */
export class ReferenceSyntaxError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = "ReferenceSyntaxError";
    this.at = at;
  }
}
