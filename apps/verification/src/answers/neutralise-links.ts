/** Shows nothing, but what it stands in is no address to a reader. ZERO WIDTH SPACE. */
const gap = "\u200B";

/**
 * Makes sure that no address in a text is fetched by Slack for a preview: an answer of a model could carry data out in one. Streamed messages
 * have no switch for previews as posts have. https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export function neutraliseLinks(text: string): string {
  return text.replaceAll(/(https?:)(?=\/\/)/gi, `$1${gap}`);
}
