import { dayOf, diffLines, readable, steadyText } from "../diff-lines.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { converse } from "../talk/converse.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
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
    return resultLines(differenceOf([steady(turn.answer), steady(answer)]));
  }
  const response = await fetch(`${proxyUrl}${exchange.path}`, {
    method: "POST",
    headers: { ...exchange.headers, ...headers },
    body: typeof exchange.request === "string" ? exchange.request : JSON.stringify(exchange.request),
  });
  const now = asJson(await response.text());
  return resultLines(differenceOf([readableText(exchange.response), readableText(now)]));
}

const readableText = (value: unknown): string => steadyText(readable(value), dayOf(new Date()));

/** The text as it is, then everything else as JSON. */
function steady({ text, state, data, files }: AgentAnswer): string {
  const rest = data.length + files.length > 0 ? `\n${readable({ data, files })}` : "";
  return steadyText(`${state === "completed" ? "" : `[${state}] `}${text}${rest}`, dayOf(new Date()));
}

const differenceOf = ([before, after]: readonly [string, string]): readonly string[] => diffLines(before, after);

const resultLines = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? ["The same answer."] : ["The answer differs (- before, + now):", ...lines];
