import type { AgentHealth, AgentTest, AgentTestExchange } from "@crosszone/contracts";
import { reportText } from "../conformance/report-text.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { harmless, harmlessJson, harmlessLine } from "../text/terminal-text.ts";
import { orNearAgent } from "./unknown-names.ts";

export const testAgent: Command = defineCommand({
  name: "agents test",
  summary: "Fetches an agent's card, asks it a question, prints the exchange, and explains failures.",
  operands: ["<agent or url>"],
  options: {
    ask: { flags: "--ask <text>", help: 'the question (default: "Hello")' },
    protocol: { flags: "--protocol <protocol>", help: "for an agent by URL: auto (default), a2a-1.0, …" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone agents test counter --ask "How many words?"', "check that it works"],
    ["crosszone agents test http://127.0.0.1:8090", "before you add it"],
  ],
  run: async ({ values: { ask: text = "Hello", protocol }, operands: [tested = ""] }, { api }) => {
    const { agents } = api();
    const isUrl = /^https?:\/\//.test(tested);
    const meant = isUrl ? { url: tested, protocol } : { agent: tested };
    const found = await agents.test({ ...meant, text }).catch(isUrl ? rethrow : orNearAgent(agents, tested));
    const exchanges = found.exchanges.map((exchange) => `${exchangeText(exchange)}\n`).join("");
    const course = `${healthText(found.health)}${questionText(text)}\n${exchanges}`;
    const outcome = outcomeText(found);
    if (isAnswered(found)) return { json: found, text: course + outcome };
    return { json: found, text: course, notice: outcome, isDone: false };
  },
});

const rethrow = (error: unknown): never => {
  throw error;
};

export const questionText = (text = ""): string => `Question: ${harmlessLine(text)}\n`;

/** Whether a person would read an answer. A question back is one. */
export const isAnswered = ({ failure }: AgentTest): boolean =>
  failure === undefined || failure.kind === "input_required";

/** Returns what a person would read in Slack, or why there is no answer. */
export function outcomeText(test: AgentTest): string {
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
  const lines = [
    ...(request === undefined ? [] : [`> ${operation} (${exchange.protocol})`, `  ${bodyText(request)}`]),
    came,
    ...(response === undefined ? [] : [`  ${bodyText(response)}`]),
    ...(problem === undefined ? [] : [`! ${problem}`]),
  ];
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function bodyText(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length} characters)` : text;
}

export const agentConformance: Command = defineCommand({
  name: "agents conformance",
  summary:
    "Checks whether a registered agent complies with its protocol. The zone sends the checks, with the agent's secrets.",
  operands: ["<agent>"],
  options: {
    protocol: {
      flags: "--protocol <protocol>",
      help: "the protocol to check, such as one to move to (default: its own)",
    },
    verbose: { flags: "--verbose", help: "also show the checks that passed or were skipped" },
    json: { ...jsonOption, help: "print the report as JSON" },
  },
  examples: [["crosszone agents conformance counter --protocol a2a-1.0", "before you move it"]],
  run: async ({ values: { protocol, verbose = false }, operands: [name = ""] }, { api, stdout }) => {
    const { agents } = api();
    const report = await agents.conformance(name, protocol).catch(orNearAgent(agents, name));
    const text = reportText(report, { verbose, columns: stdout.columns || 160 });
    return { json: report, text, isDone: report.compliant };
  },
});

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
