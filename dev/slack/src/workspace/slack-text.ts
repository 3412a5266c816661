/** Angle brackets in a message's text: `<@U…>`, `<#C…|name>`, `<!here>`, `<https://…|label>`. */
const ENTITY =
  /<(@[UW][A-Z0-9]+|#C[A-Z0-9]+|!(?:channel|here|everyone|subteam\^[A-Z0-9]+)|https?:\/\/[^\s<>|]+)(?:\|([^<>]*))?>/;
const BARE_LINK = /https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"]/g;

/**
 * Converts typed text to Slack's markup: bare `&`, `<` and `>` become entities, a bare link gets angle brackets, and the app's `@Name` at
 * the start becomes its mention. Existing markup, such as `&lt;` and `<@U0BOB000001>`, stays unchanged. See
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function textFromPerson(typed: string, app: { name: string; bot_user_id: string }): string {
  const mention = `@${app.name}`;
  const addressed = typed.slice(0, mention.length).toLowerCase() === mention.toLowerCase();
  const text = addressed ? `<@${app.bot_user_id}>${typed.slice(mention.length)}` : typed;
  return splitEntities(text)
    .map((piece) => (piece.entity === undefined ? escapeText(piece.text).replaceAll(BARE_LINK, "<$&>") : piece.text))
    .join("");
}

/** Returns the readable text, with `&`, `<` and `>` unescaped. */
export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Returns the `rich_text` block that Slack adds to every message with text; here without styles, lists and quotes. */
export function richTextBlock(text: string, blockId: string): Record<string, unknown> {
  const elements = splitEntities(text).map((piece) =>
    piece.entity === undefined
      ? { type: "text", text: unescapeText(piece.text) }
      : richTextEntity(piece.entity, piece.label),
  );
  return { type: "rich_text", block_id: blockId, elements: [{ type: "rich_text_section", elements }] };
}

function richTextEntity(entity: string, label: string | undefined): Record<string, unknown> {
  if (entity.startsWith("@")) return { type: "user", user_id: entity.slice(1) };
  if (entity.startsWith("#")) return { type: "channel", channel_id: entity.slice(1) };
  if (entity.startsWith("!subteam^")) return { type: "usergroup", usergroup_id: entity.slice("!subteam^".length) };
  if (entity.startsWith("!")) return { type: "broadcast", range: entity.slice(1) };
  return { type: "link", url: unescapeText(entity), ...(label && { text: unescapeText(label) }) };
}

function splitEntities(text: string): { text: string; entity?: string; label?: string }[] {
  const pieces: { text: string; entity?: string; label?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(ENTITY, "g"))) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    const [whole, entity, label] = match;
    pieces.push({ text: whole, entity, label });
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function escapeText(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
