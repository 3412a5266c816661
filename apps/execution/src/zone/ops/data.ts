import {
  agentCallKind,
  agentResultKind,
  callFilesContext,
  callInputContext,
  callOutputContext,
  callProgressContext,
  callRemoteIdContext,
} from "@crosszone/agent-calls";
import { auditContentData, auditData, auditTablesOfNoTeam } from "@crosszone/audit";
import { messageContext, outboxContext } from "@crosszone/kafka-gateway";
import { commandDatabase, createKeyCommands, storageOf, type ZoneData } from "@crosszone/ops/data";
import type { Environment } from "@crosszone/service-kit";
import { createOwnedData, type OwnedTable, type Row, type SealedTable } from "@crosszone/sql";
import { askContext, payloadContext, runContext, stepContext } from "@crosszone/workflow";
import { conversationContext, summaryContext } from "../../agents/conversations.ts";
import { fireContext } from "../../fires/fire-store.ts";
import { scheduleContext } from "../../fires/schedule-settings.ts";
import { inputContext } from "../../people/input-store.ts";
import { sessionContext } from "../../people/sign-in/session-store.ts";
import { openExecutionDatabase, teamKey } from "../../store/open-execution-database.ts";
import { nameContext } from "../../tasks/store/known-names.ts";
import { handleContext, outcomeContext, paramsContext, titleContext } from "../../tasks/store/task-codec.ts";
import { eventContext } from "../../tasks/store/task-log.ts";

/** Those of other kinds are what steps ask. */
const inputContexts: Readonly<Record<string, ((id: string) => string) | undefined>> = {
  task: paramsContext,
  [agentCallKind]: callInputContext,
  [agentResultKind]: callInputContext,
};

/** The contexts that seal a job's columns, by kind: tasks and agent calls. */
const jobContexts: NonNullable<OwnedTable["sealed"]> = {
  handle: ({ kind, id }) => (kind === "task" ? handleContext(String(id)) : callRemoteIdContext(String(id))),
  input: ({ kind, id }) => (inputContexts[String(kind)] ?? askContext)(String(id)),
  output: ({ kind, id }) => (kind === "task" ? outcomeContext(String(id)) : callOutputContext(String(id))),
  files: ({ id }) => callFilesContext(String(id)),
  progress: ({ id }) => callProgressContext(String(id)),
  title: ({ id }) => titleContext(String(id)),
};

const tables: readonly Omit<OwnedTable, "owner" | "ownerValue">[] = [
  {
    name: "job",
    key: ["id"],
    holds: "tasks and agent calls, running and ended, with their results",
    content: {
      record: "json",
      input: "record",
      output: "record",
      // The handle of a task's files must not leave the zone, and an agent's own task id is meaningless elsewhere.
      handle: "secret",
      files: "record",
      progress: "record",
      title: "record",
    },
    sealed: jobContexts,
  },
  {
    name: "task_event",
    key: ["task_id", "seq"],
    holds: "what tasks of programs showed while they ran",
    content: { event: "record" },
    sealed: { event: ({ task_id }) => eventContext(String(task_id)) },
  },
  {
    name: "failed_agent_call",
    key: ["id"],
    holds: "calls of agents that failed: when, why and by their ids; no text",
  },
  // Deleted before their runs; deleting a run would delete these uncounted.
  {
    name: "workflow_step",
    key: ["run_id", "path", "attempt"],
    holds: "steps of runs: their inputs and outputs",
    content: { record: "json", input: "record", output: "record", error: "record" },
    sealed: {
      input: (row) => stepContext("input", keyOfStep(row)),
      output: (row) => stepContext("output", keyOfStep(row)),
      error: (row) => stepContext("error", keyOfStep(row)),
    },
  },
  {
    name: "workflow_run",
    key: ["run_id"],
    holds: "runs of workflows: their inputs and results",
    content: { record: "json", definition: "json", input: "record", output: "record", error: "record" },
    sealed: {
      input: ({ run_id }) => runContext("input", String(run_id)),
      output: ({ run_id }) => runContext("output", String(run_id)),
      error: ({ run_id }) => runContext("error", String(run_id)),
    },
  },
  {
    name: "schedule",
    key: ["name"],
    holds: "schedules: when they fire, what they ask, and their owners",
    content: { record: "record" },
    sealed: { record: ({ name }) => scheduleContext(String(name)) },
  },
  {
    name: "fire",
    key: ["fire_id"],
    holds: "fires of schedules and hooks, with their questions",
    content: { record: "record" },
    sealed: { record: ({ fire_id }) => fireContext(String(fire_id)) },
  },
  {
    name: "input_request",
    key: ["request_id"],
    holds: "what tasks and runs asked people, with their votes and answers",
    content: { record: "record" },
    sealed: { record: ({ request_id }) => inputContext(String(request_id)) },
  },
  {
    name: "agent_conversation",
    key: ["context_id"],
    holds: "conversations with agents: their ids, and questions that wait for an answer",
    content: { record: "record" },
    sealed: { record: ({ context_id }) => conversationContext(String(context_id)) },
  },
  {
    name: "thread_summary",
    key: ["context_id", "team"],
    holds: "summaries of long threads with the assistant",
    content: { record: "record" },
    sealed: { record: ({ team, context_id }) => summaryContext(String(team), String(context_id)) },
  },
  {
    name: "agent_file_link",
    key: ["token_digest"],
    holds: "digests of the links that agents use to download files of running tasks",
  },
  {
    name: "message",
    key: ["reference", "caller"],
    holds: "what became of messages, as verification reports it: who wrote where, the policy's rule, times; no text",
    content: { record: "json" },
  },
  {
    name: "message_person",
    key: ["digest", "user_id", "team"],
    holds: "names of the people who wrote messages, and of their channels, with digests by which they are found",
    content: { name: "record" },
    sealed: { name: ({ user_id }) => nameContext(String(user_id)) },
  },
  { name: "model_call", key: ["id"], holds: "calls of language models and of tools, and their cost, without content" },
  { name: "budget_use", key: ["scope", "subject", "period", "unit"], holds: "used amounts of budgets" },
  {
    name: "outbox",
    key: ["sequence"],
    holds: "messages on their way to Kafka",
    content: { value: "record", record: "json" },
    sealed: { value: ({ channel, record }) => outboxContext({ channel: String(channel), record: String(record) }) },
  },
  {
    name: "bus_dead_letter",
    key: ["id"],
    holds: "messages that could not be processed",
    content: { value: "record", headers: "json" },
    sealed: { value: ({ channel, key }) => messageContext({ channel: String(channel), key: String(key) }) },
  },
];

/**
 * The tables with rows of a Slack team, in deletion order. The order follows the flow of data, so that few rows appear in tables that are
 * already purged.
 */
export const executionTables: readonly OwnedTable[] = [
  ...tables.map((table) => ({ ...table, owner: "team", ownerValue: teamKey })),
  auditContentData,
];

function keyOfStep({ run_id, path, attempt }: Row): Parameters<typeof stepContext>[1] {
  return { run_id: String(run_id), path: String(path), attempt: Number(attempt) };
}

/** The other tables with sealed columns. */
export const sealedOfTheZone: readonly SealedTable[] = [
  { name: "session", key: ["id"], sealed: { id_token: ({ id }) => sessionContext(String(id)) } },
  {
    name: "workflow_event",
    key: ["event_id"],
    content: { payload: "record" },
    sealed: { payload: ({ event_id }) => payloadContext(String(event_id)) },
  },
];

/** The tables without data of a team, each with the reason. */
export const tablesOfTheZone: Readonly<Record<string, string>> = {
  agent: "agents belong to the installation, not to their requesters",
  agent_call_count: "how many calls of an agent ended in an hour, and how",
  agent_migration: "migrations of agents to another protocol, for the installation's operator",
  api_token: "who can use the API, for the installation's operator",
  ...auditTablesOfNoTeam,
  data_key: "ids of the keys that seal this zone's data, never the keys",
  bulk_action: "what operators did with many items at once, by their ids",
  bulk_problems: "which of their items were skipped or failed, and why",
  mcp_server: "MCP servers belong to the installation, not to the team that uses them",
  mcp_tool: "definitions of their tools, as the servers wrote them",
  mcp_left_out: "names of tools that can't be offered, and why",
  input_change: "the number of the last change of an input request",
  input_follower: "which verification zones show input requests, and when each last asked for them",
  job_worker: "the running processes, and until when they hold their jobs",
  session: "sessions of the console, deleted after seven days, for the installation's operator",
  used_once: "states of sign-ins and ids of logout tokens, so that none counts twice",
  token_use: "which addresses used which credentials, for the installation's operator",
  workflow: "definitions belong to the installation, not to their requesters",
  workflow_event: "events belong to the workflows that wait for them; a row is deleted after 7 days",
  workflow_tree: "how many runs, steps, paid calls and waits the runs of a tree have together",
  workflow_turn: "how often each turn of a run was retried; a row is deleted with its run",
};

/** Opens this zone's data for the data commands, with the zone's own variables. */
export async function openExecutionData(env: Environment): Promise<ZoneData> {
  const { url, vault, ...storage } = storageOf(env, "execution");
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  return {
    zone: "execution",
    ...storage,
    keys: createKeyCommands(database),
    ...auditData(
      createOwnedData(database, { tables: executionTables, sealed: sealedOfTheZone, sealer: vault }),
      "execution",
      database,
    ),
    close: database.close,
  };
}
