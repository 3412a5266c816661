/** A parsed mrkdwn message as a tree, independent of how it is drawn. Every `href` has passed `safeHref`. */
export type MrkdwnNode =
  | { type: "text" | "code" | "fence"; text: string }
  | { type: "bold" | "italic" | "strike" | "quote"; children: MrkdwnNode[] }
  | { type: "break" }
  | { type: "link"; href: string; text: string }
  | { type: "user" | "channel"; id: string; label: string | undefined }
  | { type: "broadcast"; name: string };

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Unescapes Slack's three entities; every other `&…;` stays as text. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}
