import { fitText } from "./fit-answer.ts";

/**
 * What a person reads of an agent's output: its own words, or else all of it as JSON. Never empty, and never too long for the
 * zone link: then it says that it was cut. The output has the shape
 * `{text, response, …}` that every protocol is read into; another bridge may have sent any JSON value.
 */
export function responseText(output: unknown): string {
  if (typeof output === "object" && output !== null && !Array.isArray(output)) {
    const { response, text } = output as { readonly response?: unknown; readonly text?: unknown };
    const words = [response, text].find((each) => typeof each === "string" && each.trim() !== "");
    if (words !== undefined) return cut(words as string);
    if (Object.values(output).every(isNothing)) return nothing;
  }
  if (isNothing(output)) return nothing;
  if (typeof output === "string") return cut(output);
  const { kept, note } = fitText(JSON.stringify(output, null, 2));
  return fenced(kept) + note;
}

function cut(text: string): string {
  const { kept, note } = fitText(text);
  return kept + note;
}

const nothing = "The agent is done, and has nothing to say.";

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** The fence is longer than any within, as CommonMark wants it. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenced(json: string): string {
  const longest = (json.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}
