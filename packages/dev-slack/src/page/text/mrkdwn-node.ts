/** A message as a tree: what mrkdwn means, before anything draws it. Every `href` has passed `safeHref`. */
export type MrkdwnNode =
  | { type: "text" | "code" | "fence"; text: string }
  | { type: "bold" | "italic" | "strike" | "quote"; children: MrkdwnNode[] }
  | { type: "break" }
  | { type: "link"; href: string; text: string }
  | { type: "user" | "channel"; id: string; label: string | undefined }
  | { type: "broadcast"; name: string };

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Undoes Slack's escaping, which knows three entities only; every other `&…;` is text as it stands. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}
