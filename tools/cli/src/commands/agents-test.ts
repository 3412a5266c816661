import type {
  AgentHealth,
  AgentMigration,
  AgentMigrationEntry,
  AgentTest,
  AgentTestExchange,
} from "@crosszone/contracts";
import { asksBack } from "@crosszone/service-kit/text";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { actRow } from "../program/row.ts";
import { UsageError } from "../program/session.ts";
import { reportText } from "../text/report-text.ts";
import { harmless, harmlessJson, harmlessLine, table } from "../text/terminal-text.ts";

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

export const agentConformance = actRow({
  name: "agents conformance",
  operation: "checkAgentConformance",
  summary:
    "Checks whether a registered agent complies with its protocol. The zone sends the checks, with the agent's secrets.",
  operands: { name: "<agent>" },
  options: { verbose: { flags: "--verbose", help: "also show the checks that passed or were skipped" } },
  examples: [["crosszone agents conformance counter --protocol a2a-1.0", "before you move it"]],
  show: (report, { values: { verbose = false }, session: { stdout } }) => {
    const text = reportText(report, { verbose, columns: stdout.columns || 160 });
    return { text, isDone: report.compliant };
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

/** The limit of the contract. */
const mostAgents = 200;

export const agentsMigrateCommand: Command = defineCommand({
  name: "agents migrate",
  summary: "Moves agents to another protocol, all or none. Checks first that each of them complies with it.",
  operands: ["[agents...]"],
  options: {
    to: { flags: "--to <protocol>", help: "a2a-1.0, jsonrpc-2.0 (A2A 0.3), simple-a2a or auto" },
    default: { flags: "--default", help: "new agents without a protocol get this one, too; every agent must comply" },
    accept: { flags: "--accept <check>", multiple: true, help: "move agents that fail this check; repeatable" },
    dryRun: { flags: "--dry-run", help: "check only" },
    json: jsonOption,
  },
  examples: [
    ["crosszone agents migrate --to a2a-1.0 --dry-run", "which agents comply, and what the others must change"],
    ["crosszone agents migrate --to a2a-1.0", "move every enabled agent"],
    ["crosszone agents migrate counter --to a2a-1.0", "move one"],
    ["crosszone agents migrate --to a2a-1.0 --accept version-patch", "live with a fault of a library"],
  ],
  run: async ({ values, operands }, { api }) => {
    const { to, default: movesDefault = false, dryRun: dry_run = false, accept } = values;
    if (to === undefined) throw new UsageError("--to is missing: name the protocol, such as --to a2a-1.0.");
    if (operands.length > mostAgents) throw new UsageError(`At most ${mostAgents} agents can be named.`);
    if (movesDefault && operands.length > 0)
      throw new UsageError("--default can't be combined with names of agents: every enabled agent must comply.");
    const named = operands.length > 0 && { agents: [...operands] };
    const request = { to, ...named, accept, default: movesDefault, dry_run };
    const done = await api().call("migrateAgents", { body: request });
    const isDone = done.result !== "refused";
    return { json: done, text: migrationText(done), notice: isDone ? "" : refusalText(done, dry_run), isDone };
  },
});

export const rollBackAgents: Command = defineCommand({
  name: "agents rollback",
  summary: "Restores the protocol and URL that agents had before. Running tasks end the way they began.",
  operands: ["[agent]"],
  options: { all: { flags: "--all", help: "undo the last migration" }, json: jsonOption },
  examples: [
    ["crosszone agents rollback counter", "one agent"],
    ["crosszone agents rollback --all", "every agent of the last migration"],
  ],
  run: async ({ values: { all = false }, operands: [name] }, { api }) => {
    if (all === (name !== undefined)) throw new UsageError("Name one agent, or write --all for the last migration.");
    if (name === undefined) {
      const done = await api().call("rollBackMigration", {});
      return { json: done, text: migrationText(done) };
    }
    const agent = await api().call("rollBackAgent", { name });
    const text = `${harmlessLine(agent.name)} is back to ${agent.protocol} at ${harmlessLine(agent.url)}.\n`;
    return { json: agent, text };
  },
});

const verdictWords: Readonly<Record<AgentMigrationEntry["verdict"], string>> = {
  compliant: "complies",
  not_compliant: "does not comply",
  unchanged: "unchanged",
  declared_in_file: "declared in file, change it there",
  disabled: "off, not moved",
  rolled_back: "rolled back",
  changed_since: "changed since, left as it is",
  deleted: "deleted",
};

const verdictOf = ({ verdict, accepted_checks }: AgentMigrationEntry): string =>
  accepted_checks === undefined ? verdictWords[verdict] : `accepted: ${accepted_checks.join(", ")}`;

/** Maximum number of ids in a row of the table; the list below it has all. */
const mostIds = 3;

function idsOf({ failed_checks = [] }: AgentMigrationEntry): string {
  const ids = failed_checks.map(({ id }) => id);
  const more = ids.length - mostIds;
  return more > 0 ? `${ids.slice(0, mostIds).join(", ")} and ${more} more` : ids.join(", ");
}

function migrationText({ result, to, default_protocol, agents }: AgentMigration): string {
  const rows = agents.map((entry) => [entry.name, entry.from, verdictOf(entry), idsOf(entry)]);
  const head = ["AGENT", "FROM", "VERDICT", "FAILED CHECKS"];
  const hasFailed = agents.some(({ verdict }) => verdict === "not_compliant");
  const shown = hasFailed ? rows : rows.map((row) => row.slice(0, 3));
  const list = agents.length === 0 ? "" : `${table(hasFailed ? head : head.slice(0, 3), shown)}\n`;
  const moved = agents.filter(({ verdict }) => verdict === "compliant" || verdict === "rolled_back").length;
  const count = `${moved} ${moved === 1 ? "agent" : "agents"}`;
  const fallback = `New agents without a protocol get ${default_protocol}.\n`;
  if (result === "switched") return `${list}Moved ${count} to ${to}. ${fallback}`;
  if (result === "rolled_back") return `${list}Restored ${count}. ${fallback}`;
  return result === "dry_run"
    ? `${list}Nothing was moved: this was a dry run. ${count} can be moved to ${to}.\n`
    : list;
}

/** Says what each agent must change. */
function refusalText({ to, agents }: AgentMigration, isDryRun: boolean): string {
  const failing = agents.filter(({ verdict }) => verdict === "not_compliant");
  const details = failing.map(({ name, failed_checks = [] }) => {
    const lines = failed_checks.map(({ id, title, problem = title, fix = "" }) => `  ${id}: ${problem} ${fix}`);
    return [name, ...lines].map((line) => `${harmlessLine(line).trimEnd()}\n`).join("");
  });
  const what = isDryRun ? "would be moved" : "was moved";
  return `No agent ${what} to ${to}. Change these, then run the command again:\n\n${details.join("\n")}`;
}
