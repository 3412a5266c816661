import { settledText } from "./compose-working.ts";
import { honestLinks } from "./honest-links.ts";
import { neutraliseLinks } from "./neutralise-links.ts";
import { neutraliseMentions } from "./neutralise-mentions.ts";

/** Maximum characters of an answer to stream; leaves room for the message's tasks below Slack's limit. The final answer has the rest. */
export const longestStreamed = 9_000;

/**
 * Returns the beginning of an answer that is unlikely to change as more text arrives, neutralised like a finished answer. It notifies only
 * `people`, its addresses are not links, and it never ends within a surrogate pair.
 */
export function composeStreamed(text: string, people: ReadonlySet<string>): string {
  const honest = honestLinks(settledText(text.slice(0, 2 * longestStreamed)));
  const safe = neutraliseLinks(neutraliseMentions(honest, people));
  const shown = safe.slice(0, longestStreamed);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
}
