/** A section of the page Connect: what to do next, and lines to copy. */
export interface GuideSection {
  readonly title: string;
  readonly text: string;
  readonly lines: readonly string[];
}
