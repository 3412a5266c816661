/**
 * Writes the tables of both zones into docs/tables.md: what a row is, when it is deleted, and its columns. Part of `pnpm generate`. Throws
 * when a table of a database has no words here, or words have no table.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openExecutionDatabase } from "../../apps/execution/src/index.ts";
import { openVerificationDatabase } from "../../apps/verification/src/index.ts";
import { writeGeneratedParts } from "./generated-parts.ts";

/** What a row of each table is, and when it is deleted. */
type Tables = Readonly<Record<string, readonly [row: string, deleted: string]>>;

const jobWorker = [
  "a process that leases jobs, and until when",
  "when the process stops, or its lease expires",
] as const;

const verificationTables: Tables = {
  job: ["a question in the inbox, from its arrival to its answer", "when answered; parked rows after 30 days"],
  job_worker: jobWorker,
  claim: ["an event or message that arrived, as a digest", "after 25 hours"],
  thread: ["a thread in which the app takes part, as a digest", "`THREAD_RETENTION` after the last message there"],
  handle: [
    "the handle of a task and the files that it opens",
    "when the task ends, after `ANSWER_DEADLINE` at the latest",
  ],
  installation: ["a workspace that installed the app, with encrypted tokens", "when the workspace removes the app"],
  spent_state: ["an OAuth state that was used once, as a digest", "when the state would have expired"],
  message: [
    "what became of a message that was answered, denied, rejected, parked or given up; no text",
    "after 30 days, beyond the newest 100,000, and when the team's data is purged",
  ],
  stream_pace: [
    "when streams of a workspace can start and grow",
    "when the team's data is purged; at most 21 rows a workspace",
  ],
};

const executionTables: Tables = {
  job: [
    "a task, an agent call, or a message on its way to Kafka",
    "tasks `TASK_RETENTION` after their end; calls `AGENT_CALL_RETENTION_MS` after it, those of steps with their result; messages when Kafka has them",
  ],
  job_worker: jobWorker,
  bus_dead_letter: ["a message from Kafka that could not be processed", "after two weeks"],
  agent_conversation: [
    "an agent's open question, and its own id of a conversation",
    "`THREAD_RETENTION` after the last message",
  ],
  thread_summary: [
    "the summary of a long thread with the assistant",
    "`THREAD_RETENTION` after the last question there",
  ],
  agent_file_link: ["a link from which an agent can download one file, as a digest", "at the task's deadline"],
  model_call: ["one call of a language model: tokens and cost, no text", "after 396 days"],
  budget_use: ["how much of one budget a day or a month has used", "after 396 days"],
  mcp_server: ["an MCP server that the zone has connected to", "never"],
  mcp_tool: ["a tool of an MCP server: the approved and the latest definition", "never"],
  workflow: ["one version of a workflow", "never"],
  workflow_run: ["a run: its input, state and output", "7 days after its end"],
  workflow_step: ["one attempt of a step: its input, state and output", "with its run"],
  workflow_turn: ["how often one transition of a run was retried", "when the transition succeeds, or with its run"],
  agent: ["a registered agent, with the names of its secrets", "when the agent is deleted"],
  agent_audit: ["one change of an agent: who, when, before and after", "never"],
  agent_migration: ["one move of many agents to another protocol", "never"],
};

/** Returns a list of the database's tables, Markdown. */
function renderTables(database: DatabaseSync, tables: Tables): string {
  const found = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
    .map(({ name }) => String(name));
  const odd = [...new Set(found).symmetricDifference(new Set(Object.keys(tables)))];
  if (odd.length > 0) throw new Error(`Fix the tables in dev/scripts/generate-tables.ts: ${odd.join(", ")}.`);
  return Object.entries(tables)
    .map(([name, [row, deleted]]) =>
      [`### \`${name}\``, `A row is ${row}. Deleted: ${deleted}.`, columnsOf(database, name)].join("\n\n"),
    )
    .join("\n\n");
}

function columnsOf(database: DatabaseSync, table: string): string {
  const columns = database.prepare("select name, pk from pragma_table_info(?)").all(table);
  return columns.map(({ name, pk }) => `\`${String(name)}\`${Number(pk) > 0 ? " (key)" : ""}`).join(", ");
}

const dir = mkdtempSync(join(tmpdir(), "crosszone-tables-"));
try {
  const parts: Record<string, string> = {};
  for (const zone of [
    { name: "verification", open: openVerificationDatabase, tables: verificationTables },
    { name: "execution", open: openExecutionDatabase, tables: executionTables },
  ]) {
    const file = join(dir, zone.name);
    await (await zone.open({ url: `sqlite:${file}` })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    parts[zone.name] = renderTables(database, zone.tables);
    database.close();
  }
  await writeGeneratedParts("tables.md", { script: "dev/scripts/generate-tables.ts", parts });
} finally {
  rmSync(dir, { recursive: true, force: true });
}
