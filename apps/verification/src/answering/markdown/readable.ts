import type { Names } from "../../slack/names.ts";
import { literalMarkdown, oneLine } from "./neutralise.ts";
import { tablesIn } from "./plan-blocks.ts";
import { readCode, withOthers } from "./read-markdown.ts";

/** Whom an answer can notify, and the names of the others in it. */
export interface Audience {
  readonly people: ReadonlySet<string>;
  readonly names?: Names | undefined;
}

export const longestName = 80;

/** A person or a user group in Slack's notation. */
const mention = /(?<!\\)<(?:@([UWB][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|([^<>]{1,200}))?>/g;
const details = /(?<!\\)<\/?details(?:[ \t]+open)?>[ \t]*\n?/gi;
const summary = /(?<!\\)<summary>([^<>]{1,300})<\/summary>[ \t]*\n?/gi;
const lineBreak = /(?<![\\ \t])[ \t]*<br[ \t]*\/?>[ \t]*\n?/gi;

/**
 * Returns Markdown in which Slack shows what it would not show: the names of people and groups that the answer does not notify, line breaks,
 * and folded details, whose title becomes bold. Code is unchanged. Idempotent.
 */
export function readable(text: string, audience: Audience): string {
  const named = replaceOutsideCode(text, mention, ([found]) => nameOf(found, audience));
  const unfolded = replaceOutsideCode(named, details, ({ index, input }) =>
    index === 0 || input[index - 1] === "\n" ? "" : "\n",
  );
  const titled = replaceOutsideCode(unfolded, summary, ([, title = ""]) => `**${oneLine(title, 300)}**\n`);
  let isInTable: ((place: number) => boolean) | undefined;
  return replaceOutsideCode(titled, lineBreak, ({ index, input, 0: { length } }) => {
    if (!(isInTable ??= tablesIn(input))(index)) return "\n";
    return /^[ \t]*\|/.test(input.slice(index + length, index + length + 10)) ? " " : "; ";
  });
}

/** Returns the mentions in a text whose names are not known, and that the answer does not notify; `name` is what is shown instead. */
export function unnamedIn(
  text: string,
  { people, names }: Audience,
): { readonly index: number; readonly id: string; readonly name: string }[] {
  return [...text.matchAll(mention)].flatMap(({ index, 1: user, 2: group = "", 3: label }) => {
    if ((user !== undefined && people.has(user)) || names?.has(user ?? group)) return [];
    return { index, id: user ?? group, name: label ?? (user === undefined ? "a user group" : "someone") };
  });
}

function nameOf(found: string, { people, names }: Audience): string {
  const [unnamed] = unnamedIn(found, { people });
  if (unnamed === undefined) return found;
  return literalMarkdown(oneLine(names?.get(unnamed.id) ?? unnamed.name, longestName));
}

function replaceOutsideCode(text: string, pattern: RegExp, replaced: (match: RegExpExecArray) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { isCode } = readCode(text);
  const places = found.map((match) => ({ from: match.index, to: match.index + match[0].length, match }));
  const outside = places.filter(({ from, to }) => !isCode(from) && !isCode(to - 1));
  return withOthers(text, outside, ({ match }) => replaced(match));
}
