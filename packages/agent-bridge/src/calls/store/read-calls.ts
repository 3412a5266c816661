import type { AgentCall } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { patiently, type Database } from "@crosszone/sql";
import type { CallIds } from "../agent-call.ts";
import type { AgentCallProgress } from "../call-store.ts";
import type { AgentCallTable, AgentCallTables } from "./agent-call-table.ts";
import { callId, callProgressContext, callRemoteIdContext, opened, type CallRecord } from "./call-row.ts";

/** Reads the agent calls of a task, without inputs and outputs. Uses no keys, so sealed values are omitted. */
export type ReadAgentCalls = (ids: CallIds) => Promise<AgentCall[]>;

/** The columns of a shown call. */
const shownColumns = [
  "id",
  "state",
  "record",
  "remote_id",
  "progress",
  "agent_attempts",
  "error_kind",
  "created_at",
  "deadline_at",
  "finished_at",
] as const;

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

export function createReadAgentCalls({ db }: Pick<Database<AgentCallTables>, "db">): ReadAgentCalls {
  return async (ids) => {
    const query = db.selectFrom("agent_call").select(shownColumns).where("id", "=", callId(ids));
    return (await patiently(() => query.execute(), { budgetMs: patienceMs })).map(callOf);
  };
}

function callOf(row: Pick<AgentCallTable, (typeof shownColumns)[number]>): AgentCall {
  const { id, state, record, agent_attempts, error_kind, created_at, deadline_at, finished_at } = row;
  const { task } = withoutKey.fromColumn(record, "") as CallRecord;
  const remoteId = opened(row.remote_id, callRemoteIdContext(id), withoutKey) as string | undefined;
  const progress = opened(row.progress, callProgressContext(id), withoutKey) as AgentCallProgress | undefined;
  return {
    agent: task.agent_name,
    state,
    ...(agent_attempts !== null && { attempts: agent_attempts }),
    ...(remoteId !== undefined && { remote_id: remoteId }),
    ...(progress !== undefined && { progress: progress.text }),
    ...(error_kind !== null && { error_kind }),
    created_at: timestamp(created_at),
    deadline: timestamp(deadline_at),
    ...(finished_at !== null && { ended_at: timestamp(finished_at) }),
  };
}

const timestamp = (ms: number): string => new Date(ms).toISOString();

const withoutKey = createRecordCodec(undefined);
