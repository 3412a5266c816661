import { diff } from "node:util";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { converse } from "../talk/converse.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
import type { Cassette } from "../wire/cassette.ts";
import { turnsOf } from "../wire/conversations.ts";
import { fromHeader } from "../wire/relay.ts";
import { asJson, isSend, type WireExchange } from "../wire/wire-exchange.ts";
import { fit } from "../../text/terminal-text.ts";

export interface ReplayOptions {
  readonly exchanges: readonly WireExchange[];
  /** Of the exchange; the last message of a user when absent. */
  readonly n: number | undefined;
  readonly agent: FoundAgent;
  readonly proxyUrl: string;
}

/**
 * Sends an exchange again and returns the lines that differ. A message of a user is sent with new ids, and the answers are compared: an agent
 * answers the same id only once. Any other request is sent unchanged, and the responses are compared.
 */
export async function replay({ exchanges, n, agent, proxyUrl }: ReplayOptions): Promise<readonly string[]> {
  const before = [...exchanges];
  const exchange = n === undefined ? before.findLast(isSend) : before.find((one) => one.n === n);
  if (exchange === undefined) return [n === undefined ? "Nothing was sent yet." : `There is no exchange ${n}.`];
  const headers = { [fromHeader]: "terminal" };
  if (isSend(exchange)) {
    const turn = turnsOf(before).find(({ exchanges: own }) => own[0] === exchange);
    if (turn?.answer === undefined) return ["The message has no answer yet."];
    const answer = await converse(agent, { headers }).say(turn.message);
    return resultLines(steady(turn.answer, new Date()), steady(answer, new Date()));
  }
  const response = await fetch(`${proxyUrl}${exchange.path}`, {
    method: "POST",
    headers: { ...exchange.headers, ...headers },
    body: typeof exchange.request === "string" ? exchange.request : JSON.stringify(exchange.request),
  });
  const now = asJson(await response.text());
  return resultLines(readableText(exchange.response), readableText(now));
}

const readableText = (value: unknown): string => steadyText(readable(value), dayOf(new Date()));

/** Sends the messages of a cassette as a new conversation, and compares the last answer with the recorded one. */
export async function replayCassette(cassette: Cassette, agent: FoundAgent): Promise<readonly string[]> {
  const conversation = converse(agent, { headers: { [fromHeader]: "terminal" } });
  let { answer } = cassette;
  for (const message of cassette.messages) answer = await conversation.say(message);
  return resultLines(steady(cassette.answer, new Date(cassette.recorded_at)), steady(answer, new Date()));
}

/** The text as it is, then everything else as JSON, without ids, times and the day of the answer. */
function steady({ text, state, data, files }: AgentAnswer, at: Date): string {
  const rest = data.length + files.length > 0 ? `\n${readable({ data, files })}` : "";
  return steadyText(`${state === "completed" ? "" : `[${state}] `}${text}${rest}`, dayOf(at));
}

export const sameAnswer = "The same answer.";

function resultLines(before: string, after: string): readonly string[] {
  const lines = diffLines(before, after);
  return lines.length === 0 ? [sameAnswer] : ["The answer differs (- before, + now):", ...lines];
}

/** Maximum number of displayed lines, and maximum line width. */
const mostLines = 30;
const widest = 160;
/** Maximum number of compared pairs of lines; above it, everything between the common ends counts as changed. */
const mostPairs = 1_000_000;

/** Returns the lines that differ: `- ` only in `before`, `+ ` only in `after`, each change below the equal line before it. Empty when equal. */
export function diffLines(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const changed = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = [...(start > 0 ? [`  ${a[start - 1]}`] : []), ...changed];
  const shown = lines.slice(0, mostLines).map((line) => fit(line, widest));
  return lines.length > mostLines ? [...shown, `  … ${lines.length - mostLines} more lines`] : shown;
}

function between(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > mostPairs) return [...a.map((line) => `- ${line}`), ...b.map((line) => `+ ${line}`)];
  return diff(a, b).map(([kind, line]) => `${signs[kind + 1]} ${line}`);
}

/** By the kind of `util.diff`: -1 for an inserted line, 0 for an equal one, 1 for a deleted one. */
const signs = ["+", " ", "-"];

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?/g;

/**
 * Replaces what differs between two runs of the same conversation: UUIDs, times, and the date `day` on which it ran (`2026-03-01`). Equal
 * requests of two days have equal steady texts.
 */
export function steadyText(text: string, day: string): string {
  return text.replaceAll(uuid, "<uuid>").replaceAll(time, "<time>").replaceAll(day, "<today>");
}

/** Returns a JSON value as indented text with its members in alphabetical order, with line breaks of its strings as real ones. */
export function readable(value: unknown): string {
  return JSON.stringify(sorted(value), undefined, 2)?.replaceAll("\\n", "\n    ") ?? "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The date of a time in the form of `steadyText`. */
export const dayOf = (at: string | Date): string => new Date(at).toISOString().slice(0, 10);
