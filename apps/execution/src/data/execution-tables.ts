import {
  callFilesContext,
  callInputContext,
  callOutputContext,
  callProgressContext,
  callRemoteIdContext,
} from "@crosszone/agent-bridge";
import { messageContext } from "@crosszone/bus";
import type { OwnedTable, Row } from "@crosszone/sql";
import { runContext, stepContext } from "@crosszone/workflow";
import { summaryContext } from "../agents/assistant/memory/sql-thread-summaries.ts";
import { conversationContext } from "../agents/conversations/sql-conversations.ts";
import { waitContext } from "../agents/bridged/waits/sql-agent-wait-store.ts";
import { handleContext, outcomeContext, paramsContext } from "../tasks/sql/task-row.ts";
import { teamKey } from "../tasks/team-key.ts";

/** A table of bus messages. */
const messages = (name: string, holds: string): OwnedTable => ({
  name,
  owner: "team",
  ownerValue: teamKey,
  key: ["id"],
  holds,
  content: { value: "record", headers: "json" },
  sealed: { value: ({ channel, key }) => messageContext({ channel: String(channel), key: String(key) }) },
});

/**
 * The tables with rows of a Slack team, in deletion order. It follows the flow of data, so that little data moves
 * behind the purge.
 */
export const executionTables: readonly OwnedTable[] = [
  {
    name: "task",
    owner: "team",
    ownerValue: teamKey,
    key: ["task_id"],
    holds: "running tasks, and the answers of ended tasks",
    content: { record: "json", params: "record", outcome: "record", handle: "secret" },
    sealed: {
      handle: ({ task_id }) => handleContext(String(task_id)),
      params: ({ task_id }) => paramsContext(String(task_id)),
      outcome: ({ task_id }) => outcomeContext(String(task_id)),
    },
  },
  // Deleted before their runs; deleting a run would delete these uncounted.
  {
    name: "workflow_step",
    owner: "team",
    ownerValue: teamKey,
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
    owner: "team",
    ownerValue: teamKey,
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
    name: "agent_wait",
    owner: "team",
    ownerValue: teamKey,
    key: ["task_id"],
    holds: "tasks that wait for an agent over the bus, and results just received",
    content: { result: "record" },
    sealed: { result: ({ task_id }) => waitContext(String(task_id)) },
  },
  messages("bus_message", "bus messages not processed yet"),
  messages("bus_outbox", "messages on their way to Kafka"),
  {
    name: "agent_call",
    owner: "team",
    ownerValue: teamKey,
    key: ["id"],
    holds: "agent tasks of the bridge, and the results of ended ones",
    content: {
      record: "json",
      input: "record",
      remote_id: "record",
      output: "record",
      files: "record",
      progress: "record",
      way: "json",
    },
    sealed: {
      input: ({ id }) => callInputContext(String(id)),
      remote_id: ({ id }) => callRemoteIdContext(String(id)),
      output: ({ id }) => callOutputContext(String(id)),
      files: ({ id }) => callFilesContext(String(id)),
      progress: ({ id }) => callProgressContext(String(id)),
    },
  },
  {
    name: "agent_conversation",
    owner: "team",
    ownerValue: teamKey,
    key: ["context_id"],
    holds: "conversations with agents: their ids, and questions that wait for an answer",
    content: { record: "record" },
    sealed: { record: ({ context_id }) => conversationContext(String(context_id)) },
  },
  {
    name: "thread_summary",
    owner: "team",
    ownerValue: teamKey,
    key: ["context_id", "team"],
    holds: "summaries of long threads with the assistant",
    content: { record: "record" },
    sealed: { record: ({ team, context_id }) => summaryContext(String(team), String(context_id)) },
  },
  {
    name: "agent_file_link",
    owner: "team",
    ownerValue: teamKey,
    key: ["token_digest"],
    holds: "digests of the links that agents use to download files of running tasks",
  },
  {
    name: "model_call",
    owner: "team",
    ownerValue: teamKey,
    key: ["id"],
    holds: "language model calls and their cost, without content",
  },
  {
    name: "budget_use",
    owner: "team",
    ownerValue: teamKey,
    key: ["scope", "subject", "period", "unit"],
    holds: "used amounts of budgets",
  },
  messages("bus_dead_letter", "messages that could not be processed"),
];

function keyOfStep({ run_id, path, attempt }: Row): Parameters<typeof stepContext>[1] {
  return { run_id: String(run_id), path: String(path), attempt: Number(attempt) };
}

/** The tables without data of a team, each with the reason. */
export const tablesOfNoTeam: Readonly<Record<string, string>> = {
  agent: "agents belong to the installation, not to their requesters",
  agent_migration: "migrations of agents to another protocol, for the installation's operator",
  agent_audit: "who changed which agent, for the installation's operator",
  mcp_server: "MCP servers belong to the installation, not to the team that uses them",
  mcp_tool: "definitions of their tools, as the servers wrote them",
  workflow: "definitions belong to the installation, not to their requesters",
  workflow_turn: "how often each turn of a run was retried; a row is deleted with its run",
};
