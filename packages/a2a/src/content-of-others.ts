import { isObject, memberOf } from "./check.ts";
import type { Part } from "./types.ts";

/** The member of a text part's metadata that says that others wrote the part, and who. */
const othersKey = "https://crosszone.dev/others";

/**
 * Returns content of others as a text part. Its first line is the label, one line, so that an agent that reads only text gets the words and
 * knows whose they are.
 */
export function partOfOthers<T extends { readonly text: string }>({ text, ...about }: T, label: string): Part {
  return { text: `${label}\n${text}`, metadata: { [othersKey]: about } };
}

/** What a part says of others' content. */
const members = ["kind", "author", "channel", "ts", "url"] as const;
type ContentOfPart = Readonly<Record<"kind" | "text", string> & Partial<Record<(typeof members)[number], string>>>;

/** Returns the content of others that a part was made from, by names and without ids; undefined for any other part. */
export function othersIn({ text, metadata }: Part): ContentOfPart | undefined {
  const about = memberOf(metadata, othersKey);
  if (text === undefined || about === undefined) return undefined;
  const names = members.filter((name) => typeof memberOf(about, name) === "string");
  const said = isObject(about) ? Object.fromEntries(names.map((name) => [name, about[name]])) : {};
  return { kind: "unknown", ...said, text: text.slice(text.indexOf("\n") + 1) };
}
