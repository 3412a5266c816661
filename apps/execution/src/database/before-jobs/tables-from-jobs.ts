import { agentCallKind } from "@crosszone/jobs";
import { sql, type Kysely } from "kysely";

/**
 * Copies jobs back into the tables of the previous version. Leased jobs are released at once. Results that no run has applied are published
 * again when the run repeats its call.
 */
export async function tablesFromJobs(db: Kysely<never>): Promise<void> {
  await sql`
    insert into task (task_id, request_key, state, attempt, owner, lease_until, created_at, deadline_at, finished_at, team,
      record, params, handle, outcome, agent, correlation_id, error_kind)
    select id, key, case when state = 4 then outcome else 'working' end, attempt, owner, 0, created_at, deadline_at,
      ended_at, team, record, input, handle, output, name, correlation_id, error_kind
    from job where kind = 'task'`.execute(db);
  await sql`
    insert into agent_call (id, agent, state, attempt, owner, lease_until, created_at, deadline_at, finished_at, team,
      record, input, remote_id, output, files, progress, agent_attempts, error_kind, way, trial, took_ms)
    select id, coalesce(name, ''), case when state = 4 then outcome else 'open' end, attempt, owner, 0, created_at,
      deadline_at, ended_at, team, record, input, handle, output, files, progress, agent_attempts, error_kind, way, trial,
      took_ms
    from job where kind = ${agentCallKind}`.execute(db);
  await restoreOutbox(db as unknown as Kysely<RestoredTables>);
  await sql`
    insert into bus_message (channel, key, value, headers, team, consumer_group, published_at, attempt, visible_at)
    select channel, substr(context, length('bus message ' || channel || ' ') + 1), value, headers, team, receiver, 0, 0, 0
    from left_message where context like 'bus message %' order by id`.execute(db);
  await sql`
    insert into agent_wait (task_id, team)
    select id, team from job where kind = 'task' and state <> 4
      and exists (select 1 from job as call where call.parent = job.id and call.kind = ${agentCallKind})`.execute(db);
}

interface RestoredTables {
  job: {
    sequence: number;
    kind: string;
    share: string;
    created_at: number;
    record: string;
    input: string;
    team: string | null;
  };
  bus_outbox: {
    channel: string;
    key: string;
    value: string;
    headers: string;
    team: string | null;
    created_at: number;
    lease_until: number;
  };
}

async function restoreOutbox(db: Kysely<RestoredTables>): Promise<void> {
  const messages = db.selectFrom("job").select(["share", "created_at", "record", "input", "team"]);
  for (const { share, record, input, ...row } of await messages
    .where("kind", "=", "publish")
    .orderBy("sequence")
    .execute()) {
    const { key, headers } = JSON.parse(record) as { readonly key: string; readonly headers: object };
    const message = { channel: share.split(" ")[1] ?? "", key, value: input, headers: JSON.stringify(headers) };
    await db
      .insertInto("bus_outbox")
      .values({ ...row, ...message, lease_until: 0 })
      .execute();
  }
}
