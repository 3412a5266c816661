import type { AgentHealth, AgentTest, AgentTestExchange } from "@crosszone/contracts";
import { asksBack } from "@crosszone/service-kit/text";
import { actRow } from "../../program/row.ts";
import { harmless, harmlessJson, harmlessLine } from "../../text/terminal-text.ts";

const hello = "Hello";

export const agentsTest = actRow({
  name: "agents test",
  operation: "testAgent",
  summary: "Fetches an agent's card, asks it a question, prints the exchange, and explains failures.",
  operands: { agent: "<agent or url>" },
  options: {
    ask: { flags: "--ask <text>", help: 'the question (default: "Hello")' },
    protocol: { flags: "--protocol <protocol>", help: "for an agent by URL: auto (default), a2a-1.0, …" },
  },
  without: ["url", "text"],
  examples: [
    ['crosszone agents test counter --ask "How many words?"', "check that it works"],
    ["crosszone agents test http://127.0.0.1:8090", "before you add it"],
  ],
  ask: ({ values: { ask: text = hello, protocol }, operands: [tested = ""] }) => ({
    body: /^https?:\/\//.test(tested) ? { agent: undefined, url: tested, protocol, text } : { text },
  }),
  show: (found, { values: { ask } }) => {
    const exchanges = found.exchanges.map((exchange) => `${exchangeText(exchange)}\n`).join("");
    const course = `${healthText(found.health)}${questionText(ask ?? hello)}\n${exchanges}`;
    const outcome = testOutcomeText(found);
    return isAnswered(found) ? course + outcome : { text: course, notice: outcome, isDone: false };
  },
});

export const questionText = (text = ""): string => `Question: ${harmlessLine(text)}\n`;

/** Whether a person would read an answer. A question back is one. */
export const isAnswered = ({ failure }: AgentTest): boolean => failure === undefined || asksBack(failure.kind);

/** Returns what a person would read in Slack, or why there is no answer. */
export function testOutcomeText(test: AgentTest): string {
  if (!isAnswered(test)) return `No answer: ${harmlessLine(test.failure?.message ?? "")}\n`;
  return `Answer: ${harmless(test.failure?.message ?? answerText(test))}\n`;
}

/** Returns the text of an answer: of its artifacts, otherwise of its message, otherwise the whole output as JSON. */
function answerText({ output }: AgentTest): string {
  const { text, response } = (output ?? {}) as { readonly text?: unknown; readonly response?: unknown };
  const said = text ?? response;
  return typeof said === "string" ? said : harmlessJson(output);
}

/** Maximum characters of a body to show. */
const mostCharacters = 1_500;

/** Returns a request to an agent and its response as text, one line each. */
function exchangeText({ operation, request, status, response, problem, ...exchange }: AgentTestExchange): string {
  const came = `< ${status === undefined ? "no answer" : `HTTP ${status}`} (${exchange.duration_ms} ms)`;
  const lines = request === undefined ? [] : [`> ${operation} (${exchange.protocol})`, `  ${bodyText(request)}`];
  lines.push(came);
  if (response !== undefined) lines.push(`  ${bodyText(response)}`);
  if (problem !== undefined) lines.push(`! ${problem}`);
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function bodyText(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length} characters)` : text;
}

/** Returns the result of an agent probe, one fact a line: state, card, and the problem with its fix. */
export function healthText({ status, card, problem, duration_ms }: AgentHealth): string {
  const lines = [`It is ${status} (${duration_ms} ms).`];
  if (card) lines.push(`Card: ${[textOf(card["name"]), ...versionsOf(card)].filter(Boolean).join(", ")}`);
  if (problem !== undefined) lines.push(`Problem: ${problem}`);
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function versionsOf({ supportedInterfaces, protocolVersion }: NonNullable<AgentHealth["card"]>): string[] {
  const versions = Array.isArray(supportedInterfaces)
    ? supportedInterfaces.filter(isOfA2A).map((each) => each?.protocolVersion)
    : [protocolVersion];
  return [...new Set(versions.map(textOf).filter(Boolean))].map((version) => `A2A ${version}`);
}

/** Whether A2A defines the binding. Any other binding is a URI, and its version is not a version of A2A. */
const isOfA2A = (each: { readonly protocolBinding?: unknown } | null): boolean =>
  !textOf(each?.protocolBinding).includes(":");

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
