import { settledText } from "./compose-working.ts";
import { honestLinks } from "./honest-links.ts";
import { neutraliseLinks } from "./neutralise-links.ts";
import { neutraliseMentions } from "./neutralise-mentions.ts";

/** Characters of an answer that are streamed: with the tasks of the message, less than Slack takes. The rest comes with the answer. */
export const longestStreamed = 9_000;

/**
 * Returns the beginning of an answer that more text does not change any more, as far as can be known, with the same care as the whole
 * answer. It notifies only `people`, and its addresses are no links yet. Never ends within a surrogate pair.
 */
export function composeStreamed(text: string, people: ReadonlySet<string>): string {
  const honest = honestLinks(settledText(text.slice(0, 2 * longestStreamed)));
  const safe = neutraliseLinks(neutraliseMentions(honest, people));
  const shown = safe.slice(0, longestStreamed);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
}
