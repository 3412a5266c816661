import type { AgentCall, AgentErrorKind } from "@crosszone/contracts";
import {
  callId,
  type CallIds,
  type CallOutcome,
  callProgressContext,
  callRemoteIdContext,
  type ExecutionJobTable,
  type ExecutionJobTables,
} from "@crosszone/jobs";
import { createRecordCodec } from "@crosszone/service-kit";
import { type Database, retryTransient } from "@crosszone/sql";
import type { AgentCallProgress } from "./call-progress.ts";
import { opened, recordOf } from "./leased-call.ts";

/** Reads the agent calls of a task, without inputs and outputs. Uses no keys, so sealed values are omitted. */
export type ReadAgentCalls = (ids: CallIds) => Promise<AgentCall[]>;

/** The columns of a shown call. */
const shownColumns = [
  "id",
  "outcome",
  "record",
  "handle",
  "progress",
  "agent_attempts",
  "error_kind",
  "created_at",
  "deadline_at",
  "ended_at",
] as const;

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

export function createReadAgentCalls({ db }: Pick<Database<ExecutionJobTables>, "db">): ReadAgentCalls {
  return async (ids) => {
    const query = db.selectFrom("job").select(shownColumns).where("id", "=", callId(ids));
    return (await retryTransient(() => query.execute(), { budgetMs: patienceMs })).map(callOf);
  };
}

function callOf(row: Pick<ExecutionJobTable, (typeof shownColumns)[number]>): AgentCall {
  const { id, agent_attempts, error_kind, created_at, deadline_at, ended_at } = row;
  const remoteId = opened(row.handle, callRemoteIdContext(id), withoutKey) as string | undefined;
  const progress = opened(row.progress, callProgressContext(id), withoutKey) as AgentCallProgress | undefined;
  return {
    agent: recordOf(row).task.agent_name,
    state: (row.outcome as CallOutcome | null) ?? "open",
    ...(agent_attempts !== null && { attempts: agent_attempts }),
    ...(remoteId !== undefined && { remote_id: remoteId }),
    ...(progress !== undefined && { progress: progress.text }),
    ...(error_kind !== null && { error_kind: error_kind as AgentErrorKind }),
    created_at: timestamp(created_at),
    deadline: timestamp(deadline_at ?? created_at),
    ...(ended_at !== null && { ended_at: timestamp(ended_at) }),
  };
}

const timestamp = (ms: number): string => new Date(ms).toISOString();

const withoutKey = createRecordCodec(undefined);
