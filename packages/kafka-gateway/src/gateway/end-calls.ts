import {
  agentCallKind,
  type AgentCallRecord,
  callEnd,
  type CallHeaders,
  callId,
  callOutputContext,
  callRecordOf,
  type ExecutionColumn,
  type ExecutionJobTables,
  ownerColumn,
} from "@crosszone/agent-calls";
import type { AgentResult } from "@crosszone/contracts";
import { type JobEnd, jobStates, type JobStore } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { repeat } from "@crosszone/service-kit/timing";
import { columnText } from "@crosszone/sql";
import type { Transaction } from "kysely";
import type { BusMessage } from "../bus/kafka-bus.ts";
import { toOutbox } from "./publish-outbox.ts";

/** Returns the end of a call with this result. */
export function endOf(result: AgentResult, codec: RecordCodec): JobEnd<ExecutionColumn> {
  const { status, error } = result;
  const failed = error?.kind === "canceled" ? "canceled" : "failed";
  return callEnd({ id: callId(result), outcome: status === "SUCCESS" ? "succeeded" : failed, result }, codec);
}

/** The jobs of calls, and how they are sealed. */
export interface StoredCalls {
  readonly store: JobStore<ExecutionColumn>;
  readonly codec: RecordCodec;
}

/** Returns the message with the result of an ended call; undefined without one. */
export async function resultOf(
  id: string,
  { store, codec }: StoredCalls,
): Promise<BusMessage<"agent_results"> | undefined> {
  const call = await store.find(id);
  if (call?.state !== jobStates.ended || call.output === null) return undefined;
  const { headers } = callRecordOf(call);
  const value = codec.fromColumn(call.output, callOutputContext(id)) as AgentResult;
  return { channel: "agent_results", value, headers };
}

/**
 * Ends a call without work on it and stores the message with its result: a canceled one wherever it is, any other if no bridge has it. One that
 * has not arrived is stored as ended, so that it does not start when it does. One that its run has canceled in this database gets its result.
 * Returns undefined when it had ended or is left alone.
 * `agentName` is empty when the task itself never arrived, `durationMs` the time since it was stored.
 */
export async function endUnworked(
  { store, codec }: StoredCalls,
  { result, headers }: { readonly result: AgentResult; readonly headers: CallHeaders },
  transaction: Transaction<ExecutionJobTables>,
) {
  const { run_id, task_id, correlation_id } = result;
  const record: AgentCallRecord = { task: { run_id, task_id, correlation_id, agent_name: "" }, headers };
  const end = endOf(result, codec);
  const job = {
    id: callId(result),
    kind: agentCallKind,
    share: agentCallKind,
    team: ownerColumn(headers),
    record: JSON.stringify(record),
    own: { name: "", correlation_id: columnText(correlation_id) },
  };
  const ended = await store.outside.addEnded({ job, end, anywhere: end.outcome === "canceled" }, transaction);
  if (ended === undefined) return undefined;
  const found = callRecordOf(ended);
  const message = { channel: "agent_results", value: result, headers: { ...found.headers, ...headers } } as const;
  await store.outbox.add([toOutbox(message, codec)], transaction);
  return { agentName: found.task.agent_name, durationMs: ended.waited_ms };
}

const everyMs = 3_600_000;
const mostAtOnce = 500;

/** How calls end whose result never came. They wait longer than their deadline for the result of another program. */
const overdue = {
  kind: agentCallKind,
  end: { outcome: "failed", output: null, own: { error_kind: "deadline_exceeded" } },
  graceMs: 3_600_000,
  most: mostAtOnce,
} as const;

/** Ends calls whose result never came, now and every hour. Returns a function that stops it. */
export function startEndingOverdue({ outside }: JobStore<ExecutionColumn>): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function endAll(): Promise<void> {
    for (let ended = mostAtOnce; ended === mostAtOnce && !signal.aborted;) ended = await outside.endOverdue(overdue);
  }
  // Other operations report a database error; this one retries in an hour.
  const tryAll = (): Promise<void> => endAll().catch(() => undefined);
  const ended = tryAll().then(() => repeat(tryAll, () => everyMs, signal));
  return async () => {
    stopped.abort();
    await ended;
  };
}
