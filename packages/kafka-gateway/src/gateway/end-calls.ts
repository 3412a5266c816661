import type { AgentResult } from "@crosszone/contracts";
import {
  agentCallKind,
  type AgentCallRecord,
  type CallHeaders,
  callId,
  type CallIds,
  executionJobs,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { emptiedText, jobStates, type LeaseId } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText, type Database, now } from "@crosszone/sql";
import { sql } from "kysely";
import { endOf } from "./gateway-rows.ts";
import { shareOf } from "./publish-jobs.ts";

/** A call that ended without work on it, and whose result is to be published. */
export interface EndedCall {
  readonly leaseId: LeaseId;
  /** Empty when the task itself never arrived. */
  readonly agentName: string;
  /** Of the call and of the message that ended it. */
  readonly headers: CallHeaders;
  /** Time since it was stored, milliseconds. */
  readonly durationMs: number;
}

export interface EndWithoutWorkDeps {
  readonly database: Database<ExecutionJobTables>;
  readonly codec: RecordCodec;
}

/** Ends a call without work on it and publishes its result. Returns undefined when it had ended already. */
export type EndUnworked = (ids: CallIds, result: AgentResult, headers: CallHeaders) => Promise<EndedCall | undefined>;

/** How a call ends without work: canceled, or refused. */
export interface UnworkedEnd {
  readonly result: AgentResult;
  readonly headers: CallHeaders;
  /** Leases the job; undefined when any process may publish the result. */
  readonly owner: string | undefined;
}

/**
 * Ends a call without work on it: a canceled one wherever it is, any other if no bridge has it. One that has not arrived
 * is stored as ended, so that it does not start when it does. One that its run has canceled in this database gets its
 * result. Returns undefined when it had ended or is left alone.
 */
export async function endWithoutWork(
  { database: { db, engine }, codec }: EndWithoutWorkDeps,
  ids: CallIds,
  { result, headers, owner }: UnworkedEnd,
): Promise<EndedCall | undefined> {
  const id = callId(ids);
  const { outcome, output, own } = endOf(result, codec);
  const { run_id, task_id, correlation_id } = result;
  const record: AgentCallRecord = { task: { run_id, task_id, correlation_id, agent_name: "" }, headers };
  const { "data-owner": team } = headers;
  const [tasks, results] = [shareOf("agent_tasks"), shareOf("agent_results")];
  const time = now(engine);
  const state = owner === undefined ? jobStates.ready : jobStates.leased;
  const values = {
    id,
    kind: agentCallKind,
    share: results,
    state,
    owner: owner ?? null,
    attempt: 1,
    due_at: time,
    created_at: time,
    ended_at: time,
    team: team === undefined ? null : columnText(team),
    record: JSON.stringify(record),
    outcome,
    output,
    error_kind: own?.error_kind ?? null,
    name: "",
    correlation_id: columnText(correlation_id),
  };
  const changed = ["share", "state", "owner", "due_at", "ended_at", "outcome", "output", "error_kind"] as const;
  const { rows } = await sql<LeaseId & { record: string; duration_ms: number }>`
    insert into job (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(values))})
    on conflict (id) do update set attempt = job.attempt + 1,
      ${sql.join(changed.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))},
      ${sql.raw(emptiedText(executionJobs))}
    where (job.state < 4 and (job.share = ${tasks} or (excluded.outcome = 'canceled' and job.share <> ${results})))
      or (job.state = 4 and job.outcome = 'canceled' and excluded.outcome = 'canceled' and job.output is null)
    returning id, attempt, record, ended_at - created_at as duration_ms`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const found = JSON.parse(row.record) as AgentCallRecord;
  return {
    leaseId: { id, attempt: row.attempt },
    agentName: found.task.agent_name,
    headers: { ...found.headers, ...headers },
    durationMs: row.duration_ms,
  };
}

const everyMs = 3_600_000;
const mostAtOnce = 500;
/** How long after its deadline a call waits for the result of another program, milliseconds. */
const graceMs = 3_600_000;

/** Ends calls whose result never came, now and every hour. Returns a function that stops it. */
export function startEndingOverdue(database: Database<ExecutionJobTables>): () => Promise<void> {
  const stopped = new AbortController();

  async function endAll(): Promise<void> {
    for (let ended = mostAtOnce; ended === mostAtOnce && !stopped.signal.aborted;) ended = await endSome(database);
  }
  // Other operations report a database error; this one retries in an hour.
  const begin = (): Promise<void> => endAll().catch(() => undefined);
  let running = begin();
  const timer = setInterval(() => {
    running = begin();
  }, everyMs).unref();
  return async () => {
    stopped.abort();
    clearInterval(timer);
    await running;
  };
}

async function endSome({ db, engine }: Database<ExecutionJobTables>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update job set state = 4, ended_at = ${now(engine)}, outcome = 'failed', error_kind = 'deadline_exceeded',
      ${sql.raw(emptiedText(executionJobs))}
    where state = 3 and sequence in (
      select sequence from job
      where kind = 'agent_call' and state = 3 and share = ${shareOf("agent_tasks")}
        and deadline_at < (select ${now(engine)} - ${graceMs})
      limit ${sql.lit(mostAtOnce)})`.execute(db);
  return Number(numAffectedRows);
}
