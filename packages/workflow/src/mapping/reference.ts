/** A `${…}` reference in a definition. */
export interface Reference {
  /** As written by the author, with its braces. */
  readonly text: string;
  /** Names of members and indexes. The first is the root: `workflow`, `steps`, a step's id or a variable. */
  readonly path: readonly (string | number)[];
  /** Used when the path has no value or null. */
  readonly fallback?: { readonly value: unknown };
}

/** A reference with a syntax error; `at` is its position from the start of the text. */
export class ReferenceSyntaxError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = "ReferenceSyntaxError";
    this.at = at;
  }
}
