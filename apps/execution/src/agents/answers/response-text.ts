import { isObject, type JsonObject, ownMember } from "@crosszone/service-kit/json";
import { type AnswerParts, answerPartsOf } from "./answer-parts.ts";

/**
 * The largest answer, bytes of JSON. Verification accepts messages of 4 MiB, and a message contains more than the
 * answer.
 */
const mostBytes = 3_000_000;

/** The most bytes that JSON needs for a UTF-16 unit, as in `\\u0000`. */
const mostBytesOfUnit = 6;

/** Whether these values fit into an answer together. */
export function fitInAnswer(...values: readonly unknown[]): boolean {
  return values.reduce<number>((bytes, value) => bytes + jsonBytes(value), 0) <= mostBytes;
}

/** Shortens a text to an answer's size. `note` says that it was shortened; empty when it was not. */
function fitText(text: string): { readonly kept: string; readonly note: string } {
  if (text.length * mostBytesOfUnit <= mostBytes) return { kept: text, note: "" };
  let kept = text;
  for (let bytes = jsonBytes(kept); bytes > mostBytes; bytes = jsonBytes(kept))
    kept = kept.slice(0, Math.floor((kept.length * mostBytes * 0.99) / bytes));
  return {
    kept: kept.toWellFormed(),
    note: kept === text ? "" : "\n\n(The answer was longer and has been shortened.)",
  };
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/**
 * Returns the text of an agent's output for people: the agent's text, or else the whole output as JSON, but never a task
 * of the protocol. Never empty, and never too long for the zone link: a longer text is shortened and says so.
 */
export function responseText(output: unknown, parts: AnswerParts | undefined = answerPartsOf(output)): string {
  if (parts !== undefined && parts.text.trim() !== "") return cut(parts.text);
  if (parts !== undefined && parts.files.length > 0)
    return parts.files.length === 1 ? "Here is a file." : "Here are the files.";
  if (isNothing(output) || (isObject(output) && (isTask(output) || isEmpty(output)))) return nothing;
  if (typeof output === "string") return cut(output);
  const { kept, note } = fitText(JSON.stringify(output, null, 2));
  return fenced(kept) + note;
}

function cut(text: string): string {
  const { kept, note } = fitText(text);
  return kept + note;
}

const nothing = "The agent finished without an answer.";

/** Whether the bridge found no answer, so that the output is the agent's whole task. */
const isTask = (output: JsonObject): boolean => ownMember(output["status"], "state") !== undefined;

/** Words that answered an earlier message are not an answer. */
function isEmpty(output: JsonObject): boolean {
  const { response, message, response_source: source, context_id: _context, ...others } = output;
  return Object.values(source === "history" ? others : { ...others, response, message }).every(isNothing);
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/**
 * The fence is longer than any fence inside, as CommonMark requires.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
function fenced(json: string): string {
  const longest = (json.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}
