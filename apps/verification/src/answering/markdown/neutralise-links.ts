/** Invisible, and prevents the text around it from being an address. ZERO WIDTH SPACE. */
const gap = "\u200B";

/**
 * Returns a text whose addresses Slack does not fetch for previews, because a preview of a model's answer could leak data. Unlike posts,
 * streamed messages have no option to disable previews. https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export function neutraliseLinks(text: string): string {
  return text.replaceAll(/(https?:)(?=\/\/)/gi, `$1${gap}`);
}
