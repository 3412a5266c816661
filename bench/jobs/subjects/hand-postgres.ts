import { randomUUID } from "node:crypto";
import { Client, Pool } from "pg";
import { batch } from "../plan.ts";
import type { Leased, Subject } from "./subject.ts";

const now = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const taking = `
  with free as materialized (
    select found.sequence from unnest($1::text[]) as asked(share)
    cross join lateral (
      select sequence from job where share = asked.share and state = 0 and due_at <= (select ${now})
      order by due_at, sequence limit $2 for update skip locked) as found)
  update job set state = 1, owner = $3, attempt = attempt + 1 where sequence in (select sequence from free)
  returning id, attempt, share, record, lane`;

const ending = `
  update job set state = 4, ended_at = ${now}, outcome = 'done', output = '{}', input = null
  from unnest($1::text[], $2::integer[]) as new(id, attempt)
  where job.id = new.id and job.owner = $3 and job.attempt = new.attempt and job.state = 1`;

/** The next of each lane whose job has ended; the lanes are locked in their order before. */
const locking = `select pg_advisory_xact_lock(lane) from (
  select distinct hashtextextended(lane, 0) as lane from unnest($1::text[]) as ended(lane) order by 1) as lanes`;
const promoting = `
  update job set state = 0 where sequence in (
    select next.sequence from unnest($1::text[]) as ended(lane)
    cross join lateral (
      select sequence from job where lane = ended.lane and state = 2 order by sequence limit 1) as next)`;

const inserting = `
  with new as (
    insert into job (id, kind, share, state, attempt, due_at, created_at, record, input)
    select $1, 'bench', $2, 0, 0, now, now, $3, '{}' from (select ${now} as now) as clock returning share)
  select pg_notify('hand', share) from new`;

/** A queue as a program writes it that needs one once: no retries, no group commits. */
export async function createHandPostgres(url: string): Promise<Subject> {
  const options = "-c search_path=bench -c plan_cache_mode=force_custom_plan -c enable_bitmapscan=off";
  const pool = new Pool({ connectionString: url, options });
  const connect = async (): Promise<Client> => {
    const connected = new Client({ connectionString: url, options });
    await connected.connect();
    return connected;
  };
  const client = await connect();
  const owner = randomUUID();
  const run = (name: string, text: string, values: unknown[]) => client.query<Leased>({ name, text, values });

  const take = async (open: readonly string[]): Promise<Leased[]> =>
    (await run("take", taking, [open, Math.ceil(batch / open.length), owner])).rows;

  const end = async (jobs: readonly Leased[], lanes: readonly string[]): Promise<void> => {
    const leased = [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt), owner];
    if (lanes.length === 0) return void (await run("end", ending, leased));
    await client.query("begin");
    await run("lock", locking, [lanes]);
    await run("end", ending, leased);
    await run("promote", promoting, [lanes]);
    await client.query("commit");
  };

  return {
    take,
    end: (jobs) => end(jobs, []),
    lanes: {
      take,
      end: (jobs) =>
        end(
          jobs,
          jobs.flatMap(({ lane }) => lane ?? []),
        ),
    },
    add: async (share, record) =>
      void (await pool.query({ name: "insert", text: inserting, values: [randomUUID(), share, record] })),
    receive: async (share, onTaken) => {
      const listener = await connect();
      let isNotified = false;
      let busy = false;
      const takeAll = async (): Promise<void> => {
        while (isNotified) {
          isNotified = false;
          for (let jobs = await take([share]); jobs.length > 0; jobs = await take([share])) {
            for (const { record } of jobs) onTaken(record);
            await end(jobs, []);
          }
        }
      };
      listener.on("notification", () => {
        isNotified = true;
        if (busy) return;
        busy = true;
        void takeAll().finally(() => (busy = false));
      });
      await listener.query("listen hand");
    },
  };
}
