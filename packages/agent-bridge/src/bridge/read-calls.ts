import { setTimeout as delay } from "node:timers/promises";
import type { AgentCall, AgentErrorKind, AgentResult } from "@crosszone/contracts";
import {
  callId,
  type CallIds,
  type CallOutcome,
  callOutputContext,
  callProgressContext,
  callRecordOf,
  callRemoteIdContext,
  type ExecutionJobTable,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { createRecordCodec, opened, type Vault } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { type Database, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import type { RemoteTask } from "./leased-call.ts";

export interface AgentCallProgress {
  /** Grows with each change. */
  readonly revision: number;
  /** In the agent's own words: one line of at most 500 characters. */
  readonly text: string;
}

/** Reads the progress of an open call, whichever process runs it; undefined without any. */
export type ReadAgentProgress = (ids: CallIds) => Promise<AgentCallProgress | undefined>;

export function createReadAgentProgress({ db }: Database<ExecutionJobTables>, vault?: Vault): ReadAgentProgress {
  const codec = createRecordCodec(vault);
  return async (ids) => {
    const id = callId(ids);
    const row = await db.selectFrom("job").select("progress").where("id", "=", id).executeTakeFirst();
    if (row === undefined || row.progress === null) return undefined;
    return codec.fromColumn(row.progress, callProgressContext(id)) as AgentCallProgress;
  };
}

interface ProgressWriterOptions {
  readonly write: (progress: AgentCallProgress) => Promise<void>;
  /** Whether the call has ended, so that nothing more is written. */
  readonly isOver: () => boolean;
  /** Called when a text couldn't be written. The call continues. */
  readonly onFailure: (cause: unknown) => void;
}

/** The longest text shown, UTF-16 units (`task-progress.schema.json`). */
const mostUnits = 500;
const everyMs = 1_000;

/** Returns a function that writes the agent's progress: the latest text, at most once a second. It never throws. */
export function createProgressWriter({ write, isOver, onFailure }: ProgressWriterOptions): (text: string) => void {
  let latest: string | undefined;
  let isWriting = false;

  async function writeAll(): Promise<void> {
    for (
      let written: string | undefined;
      latest !== written && !isOver();
      await delay(everyMs, undefined, { ref: false })
    ) {
      written = latest;
      await write({ revision: Date.now(), text: written ?? "" });
    }
  }

  return (text) => {
    latest = text.length > mostUnits ? `${text.slice(0, mostUnits - 1)}…`.toWellFormed() : text;
    if (isWriting) return;
    isWriting = true;
    void writeAll()
      .catch(onFailure)
      .finally(() => (isWriting = false));
  };
}

/** Reads the agent calls of a task, without inputs and outputs. Uses no keys, so sealed values are omitted. */
export type ReadAgentCalls = (ids: CallIds) => Promise<AgentCall[]>;

/** Only of a failed call: an answer can have megabytes. */
const failedOutput = sql<string | null>`case when error_kind is null then null else output end`.as("output");

const shownColumns = [
  "id",
  "outcome",
  "record",
  "handle",
  "progress",
  failedOutput,
  "agent_attempts",
  "error_kind",
  "created_at",
  "deadline_at",
  "ended_at",
] as const;

export function createReadAgentCalls({ db }: Database<ExecutionJobTables>): ReadAgentCalls {
  return async (ids) => {
    const query = db.selectFrom("job").select(shownColumns).where("id", "=", callId(ids));
    return (await retryBriefly(() => query.execute())).map(callOf);
  };
}

type ShownRow = Pick<ExecutionJobTable, Exclude<(typeof shownColumns)[number], object> | "output">;

function callOf(row: ShownRow): AgentCall {
  const { id, agent_attempts, error_kind, created_at, deadline_at, ended_at } = row;
  const remote = readColumn(row.handle, callRemoteIdContext(id)) as RemoteTask | undefined;
  const progress = readColumn(row.progress, callProgressContext(id)) as AgentCallProgress | undefined;
  return {
    agent: callRecordOf(row).task.agent_name,
    state: (row.outcome as CallOutcome | null) ?? "open",
    attempts: agent_attempts ?? undefined,
    remote_id: remote?.id,
    progress: progress?.text,
    error_kind: (error_kind as AgentErrorKind | null) ?? undefined,
    error_message: errorMessageOf(row),
    created_at: isoTime(created_at),
    deadline: isoTime(deadline_at ?? created_at),
    ended_at: ended_at === null ? undefined : isoTime(ended_at),
  };
}

/** The kinds whose message the bridge writes itself. The messages of other kinds can quote the agent. */
const ownMessages: ReadonlySet<string | null> = new Set<AgentErrorKind>([
  "unreachable",
  "call_timeout",
  "deadline_exceeded",
  "address_refused",
  "card_refused",
  "redirect_refused",
  "circuit_open",
]);

function errorMessageOf({ id, output, error_kind }: ShownRow): string | undefined {
  if (!ownMessages.has(error_kind)) return undefined;
  const result = readColumn(output, callOutputContext(id)) as AgentResult | undefined;
  return result?.error?.message;
}

const withoutKey = createRecordCodec(undefined);

/** Returns the JSON in a column; undefined when the column is empty or sealed. */
const readColumn = (text: string | null, context: string): unknown =>
  text === null ? undefined : opened(() => withoutKey.fromColumn(text, context));
