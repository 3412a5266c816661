import { entityElement, richTextBlock } from "../../workspace/slack-text.ts";
import { type Block, listOf, stringOf } from "./block-element.ts";
import type { Names } from "./names.ts";

const allowed = new Set(["http:", "https:", "mailto:"]);

/**
 * Returns the normalized address if a link target is allowed: absolute `http`, `https` and `mailto` only. Returns undefined for every other
 * scheme (`javascript:`, `data:`, …) and for invalid URLs. The URL parser decides, not a pattern: it drops tabs and newlines inside a
 * scheme exactly as a browser does.
 */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target);
  return url && allowed.has(url.protocol) ? url.href : undefined;
}

/** Returns the mention in `<@U…>`, `<#C…>`, `<!here>` or `<!subteam^S…>`; undefined for any other text. */
export function mentionIn(source: string): Block | undefined {
  const { type, ...element } = entityElement(source);
  return /^(?:user|channel|usergroup|broadcast)$/.test(type) ? { type, ...element } : undefined;
}

/** Returns mrkdwn as plain text: `@Ada`, `#general`, `label (address)`, without styles. */
export const mrkdwnWords = (text: string, names: Names): string => richTextWords(richTextBlock(text, ""), names);

/** Returns a `rich_text` block as plain text. */
export function richTextWords(block: unknown, names: Names): string {
  return listOf((block as Block | undefined)?.["elements"])
    .map((part) => {
      const items = listOf(part["elements"]);
      const inline = (elements: readonly Block[]): string => elements.map((one) => elementWords(one, names)).join("");
      if (part["type"] === "rich_text_quote") return inline(items).replaceAll(/^/gm, "> ");
      if (part["type"] !== "rich_text_list") return inline(items);
      const { style, indent = 0, offset = 0 } = part as { style?: unknown; indent?: number; offset?: number };
      const mark = (at: number): string => "    ".repeat(indent) + (style === "ordered" ? `${offset + at + 1}.` : "•");
      return items.map((item, at) => `${mark(at)} ${inline(listOf(item["elements"]))}`).join("\n");
    })
    .join("\n");
}

/** Returns the readable form of an element of rich text: `@name`, `#name`. An unknown id or element is named. */
export function elementWords(element: Block, names: Names): string {
  const type = stringOf(element["type"]);
  const of = (member: string): string => stringOf(element[member]);
  const id = of(`${type}_id`);
  switch (type) {
    case "text":
      return of("text");
    case "link": {
      const href = safeHref(of("url")) ?? of("url");
      return of("text") && of("text") !== of("url") ? `${of("text")} (${href})` : of("url");
    }
    case "channel":
      return `#${names.get(id) ?? id}`;
    case "user":
    case "usergroup":
      return `@${names.get(id) ?? id}`;
    case "broadcast":
      return `@${of("range")}`;
    case "emoji":
      return `:${of("name")}:`;
    case "date":
      return dateText(Number(element["timestamp"]), of("format")) ?? of("fallback");
    default:
      return of("fallback") || of("value") || `(${type})`;
  }
}

const dateParts: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date: { dateStyle: "long" },
  date_short: { dateStyle: "medium" },
  date_num: { dateStyle: "short" },
  time: { timeStyle: "short" },
  time_secs: { timeStyle: "medium" },
};
const dayMs = 86_400_000;

/**
 * Returns a date in the reader's time zone, in a format such as `{date_short_pretty} at {time}`; undefined if it has a part that is not known.
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
function dateText(seconds: number, format: string): string | undefined {
  const at = new Date(seconds * 1_000);
  if (Number.isNaN(at.getTime())) return undefined;
  let isKnown = true;
  const text = format.replaceAll(/\{(\w+?)(_pretty)?\}/g, (...[, part = "", pretty]: string[]) => {
    const near = ["yesterday", "today", "tomorrow"].find(
      (_, days) => new Date(Date.now() + (days - 1) * dayMs).toDateString() === at.toDateString(),
    );
    if (!Object.hasOwn(dateParts, part)) isKnown = false;
    return pretty !== undefined && near !== undefined ? near : at.toLocaleString("en-US", dateParts[part]);
  });
  return isKnown ? text : undefined;
}
