import type { AgentMigration, AgentMigrationEntry } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../../program/command.ts";
import { UsageError } from "../../program/session.ts";
import { harmlessLine, table } from "../../text/terminal-text.ts";

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
