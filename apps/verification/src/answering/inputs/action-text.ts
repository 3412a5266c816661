import type { InputAction } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import type { RichTextBlock } from "@slack/web-api";

/** Characters of one block of code. */
const longestCode = 2_500;

/** Returns the arguments of an action as JSON in pieces, whole, with characters that people can't see as escapes. */
export function argumentPieces({ arguments: given }: Pick<InputAction, "arguments">): readonly string[] {
  const json = JSON.stringify(given, null, 2) ?? "null";
  return showUnseen(json).match(new RegExp(`.{1,${longestCode}}`, "gsu")) ?? [];
}

/** Returns a block that shows text as code, literally: Slack finds no mention, link or mark in it. */
export function codeBlock(text: string): RichTextBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }] };
}
