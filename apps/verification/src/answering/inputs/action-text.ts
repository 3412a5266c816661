import type { InputAction } from "@crosszone/contracts";
import type { RichTextBlock } from "@slack/web-api";

/** Characters that a reader can't see, or that change the order of others: within JSON they can be written as escapes. */
const invisible = /[\p{Cf}\p{Zl}\p{Zp}\u007F-\u009F]/gu;

/** Characters of one block of code. */
const longestCode = 2_500;

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** Returns the arguments of an action as JSON in pieces, whole, with every invisible character as an escape. */
export function argumentPieces({ arguments: given }: Pick<InputAction, "arguments">): readonly string[] {
  const json = JSON.stringify(given, null, 2) ?? "null";
  return json.replaceAll(invisible, escaped).match(new RegExp(`.{1,${longestCode}}`, "gsu")) ?? [];
}

/** Returns a block that shows text as code, literally: Slack finds no mention, link or mark in it. */
export function codeBlock(text: string): RichTextBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }] };
}
