import { dayOf, diffLines, readable, steadyText } from "../diff-lines.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { converse } from "../talk/converse.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
import type { Cassette } from "../wire/cassette.ts";
import { turnsOf } from "../wire/conversations.ts";
import { fromHeader } from "../wire/relay.ts";
import { asJson, isSend, type WireExchange } from "../wire/wire-exchange.ts";

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
