import { agentCallKind } from "@crosszone/jobs";
import { sql, type Kysely } from "kysely";

/** Copies everything that is open or kept into the new tables. */
export async function jobsFromTables(db: Kysely<never>): Promise<void> {
  await copyTasks(db);
  await copyCalls(db);
  await setParents(db as unknown as Kysely<OldTables>);
  await copyLeases(db);
  await copyOutbox(db);
  // These can be sealed, so they become jobs only when a process with the keys starts.
  await leaveMessages(db);
  await leaveResults(db);
}

/** Tasks and calls without an owner can be leased at once. */
const state = sql.raw(
  "case when finished_at is not null then 4 when owner is not null and lease_until > 0 then 1 else 0 end",
);

async function copyTasks(db: Kysely<never>): Promise<void> {
  await sql`
    insert into job (id, kind, share, key, state, attempt, owner, due_at, created_at, deadline_at, ended_at, team,
      outcome, record, input, output, name, correlation_id, error_kind, handle)
    select task_id, 'task', 'task', request_key, ${state}, attempt, owner, created_at, created_at, deadline_at,
      finished_at, team, case when finished_at is null then null else state end, record, params, outcome, agent,
      correlation_id, error_kind, handle
    from task order by created_at, task_id`.execute(db);
}

async function copyCalls(db: Kysely<never>): Promise<void> {
  await sql`
    insert into job (id, kind, share, state, attempt, owner, due_at, created_at, deadline_at, ended_at, team,
      outcome, record, input, output, name, error_kind, handle, files, progress, way, trial, took_ms, agent_attempts)
    select id, ${agentCallKind}, ${`${agentCallKind} `} || agent, ${state}, attempt, owner, created_at, created_at,
      deadline_at, finished_at, team, case when finished_at is null then null else state end, record, input, output,
      agent, error_kind, remote_id, files, progress, way, trial, took_ms, agent_attempts
    from agent_call order by created_at, id`.execute(db);
}

/** The members of a stored call that identify what waits for it. */
interface StoredCall {
  readonly task: { readonly run_id: string };
  readonly headers: Readonly<Record<string, string>>;
}

interface OldTables {
  job: { sequence: number; kind: string; state: number; record: string; parent: string | null };
  agent_wait: { task_id: string; parent_task_id: string | null };
}

/** Read here and not in SQL: PostgreSQL refuses some texts that JSON may contain. */
async function setParents(db: Kysely<OldTables>): Promise<void> {
  const waits = db.selectFrom("agent_wait").select(["task_id", "parent_task_id"]);
  const parents = new Map((await waits.execute()).map((wait) => [wait.task_id, wait.parent_task_id]));
  const calls = db.selectFrom("job").select(["sequence", "record"]).where("kind", "=", agentCallKind);
  for (const { sequence, record } of await calls.where("state", "<", 4).execute()) {
    const { task, headers } = JSON.parse(record) as StoredCall;
    if (headers["reply-to"] === undefined) continue;
    const parent = parents.get(task.run_id) ?? task.run_id;
    await db.updateTable("job").set({ parent }).where("sequence", "=", sequence).execute();
  }
}

/** A process of the previous version has its jobs until the last of its leases expires. */
async function copyLeases(db: Kysely<never>): Promise<void> {
  await sql`
    insert into job_worker (owner, alive_until)
    select owner, max(lease_until)
    from (
      select owner, lease_until from task where finished_at is null
      union all select owner, lease_until from agent_call where finished_at is null) as leases
    where owner is not null and lease_until > 0 group by owner`.execute(db);
}

/** Messages on their way to Kafka are published unread. */
async function copyOutbox(db: Kysely<never>): Promise<void> {
  await sql`
    insert into job (id, kind, share, state, attempt, due_at, created_at, team, record, input)
    select 'message ' || id, 'publish', 'publish ' || channel, 0, 0, created_at, created_at, team,
      '{"key":"' || key || '","headers":' || headers || '}', value
    from bus_outbox order by id`.execute(db);
}

async function leaveMessages(db: Kysely<never>): Promise<void> {
  await sql`
    insert into left_message (channel, receiver, value, context, headers, team)
    select channel, consumer_group, value, 'bus message ' || channel || ' ' || key, headers, team
    from bus_message order by id`.execute(db);
}

/** Results that no task has read. */
async function leaveResults(db: Kysely<never>): Promise<void> {
  await sql`
    insert into left_message (channel, receiver, value, context, headers, team)
    select 'agent_results', 'execution', result, 'agent_wait result ' || task_id, '{"reply-to":"execution"}', team
    from agent_wait
    where result is not null and exists (
      select 1 from task
      where task.task_id = coalesce(agent_wait.parent_task_id, agent_wait.task_id) and task.finished_at is null)`.execute(
    db,
  );
}
