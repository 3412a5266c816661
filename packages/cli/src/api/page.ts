/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
