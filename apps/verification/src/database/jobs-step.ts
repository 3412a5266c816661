import { createJobTables, dropJobTables, jobStates } from "@crosszone/jobs";
import { now, type Engine, type MigrationStep } from "@crosszone/sql";
import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import { createInboxTable, inboxOrderStep } from "./first-steps.ts";

const { ready, leased, behind, parked } = jobStates;

const addColumns = (table: CreateTableBuilder<"job">): CreateTableBuilder<"job"> =>
  table
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("placeholder", "text")
    .addColumn("answer", "text")
    .addColumn("attached", "integer", (column) => column.notNull())
    .addColumn("stopped_by", "text")
    .addColumn("parked_because", "text")
    .addColumn("uncounted", "integer", (column) => column.notNull());

/** Columns whose values move as they are, sealed or not. */
const same = "lane, channel, attempt, uncounted, owner, placeholder, answer, attached, stopped_by, parked_because";

/** The record of a lane that is next: the one in work, else the oldest that waits. */
const isNext = sql`sequence = coalesce(
  (select min(sequence) from inbox as other where other.lane = inbox.lane and other.state = 'in_work'),
  (select min(sequence) from inbox as other where other.lane = inbox.lane and other.state = 'waiting'))`;

/**
 * Makes the records of the inbox jobs. Records in work stay with their process until its leases have expired. Threads that no allowed person
 * has addressed are forgotten; an open record makes them known again.
 */
export const jobsStep: MigrationStep = {
  up: async (db, engine) => {
    await createJobTables(db, engine, addColumns);
    await sql`create index job_by_channel on job (channel)`.execute(db);
    if (engine === "postgres") await sql`alter table job alter column answer set storage external`.execute(db);
    await sql`
      insert into job (id, kind, share, team, record, input, state, due_at, created_at, ended_at, ${sql.raw(same)})
      select request_id, kind, kind, team_id, '{}', record,
        case when state = 'parked' then ${sql.lit(parked)} when state = 'in_work' then ${sql.lit(leased)}
          when ${isNext} then ${sql.lit(ready)} else ${sql.lit(behind)} end,
        coalesce(due_at, accepted_at), accepted_at, parked_at, ${sql.raw(same)}
      from inbox order by sequence`.execute(db);
    await sql`
      insert into job_worker (owner, alive_until)
      select owner, max(due_at) from inbox where state = 'in_work' group by owner`.execute(db);
    await sql`delete from thread where joined = 0`.execute(db);
    await db.schema.dropTable("inbox").execute();
  },
  down: async (db, engine) => {
    await createInboxTable(db, engine);
    await inboxOrderStep.up(db, engine);
    await copyBack(db, engine);
    await dropJobTables(db);
  },
};

async function copyBack(db: Kysely<never>, engine: Engine): Promise<void> {
  const stateName = sql`case state when ${sql.lit(parked)} then 'parked' when ${sql.lit(leased)} then 'in_work' else 'waiting' end`;
  const leaseEnd = sql`select alive_until from job_worker where job_worker.owner = job.owner`;
  await sql`
    insert into inbox (request_id, kind, team_id, record, state, due_at, accepted_at, parked_at, ${sql.raw(same)})
    select id, kind, team, input, ${stateName},
      case state when ${sql.lit(parked)} then null when ${sql.lit(leased)} then coalesce((${leaseEnd}), ${now(engine)})
        else due_at end,
      created_at, ended_at, ${sql.raw(same)}
    from job order by sequence`.execute(db);
}
