import { neutraliseMentions } from "./neutralise-mentions.ts";

/**
 * Characters with a meaning within a line: `_` except within a word, `&` at the start of an entity.
 * https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Returns Markdown that shows external text literally and sends no notification. */
export function literalMarkdown(text: string): string {
  return neutraliseMentions(text.replace(marks, String.raw`\$&`));
}
