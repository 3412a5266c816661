import { neutraliseMentions } from "./neutralise-mentions.ts";

/** What Markdown reads within a line; `_` not within a word, `&` of an entity. https://spec.commonmark.org/0.31.2/#backslash-escapes */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Markdown that shows a text of others as it is, and notifies nobody. */
export function literalMarkdown(text: string): string {
  return neutraliseMentions(text.replace(marks, String.raw`\$&`));
}
