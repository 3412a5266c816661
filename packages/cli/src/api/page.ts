/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
