import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Client, Pool } from "pg";
import { batch, type Leased, type Subject } from "./jobs.ts";

const postgresNow = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const taking = `
  with free as materialized (
    select found.sequence from unnest($1::text[]) as asked(share)
    cross join lateral (
      select sequence from job where share = asked.share and state = 0 and due_at <= (select ${postgresNow})
      order by due_at, sequence limit $2 for update skip locked) as found)
  update job set state = 1, owner = $3, attempt = attempt + 1 where sequence in (select sequence from free)
  returning id, attempt, share, record`;

const ending = `
  update job set state = 4, ended_at = ${postgresNow}, outcome = 'done', output = '{}', input = null
  from unnest($1::text[], $2::integer[]) as new(id, attempt)
  where job.id = new.id and job.owner = $3 and job.attempt = new.attempt and job.state = 1`;

const inserting = `
  with new as (
    insert into job (id, kind, share, state, attempt, due_at, created_at, record, input)
    select $1, 'bench', $2, 0, 0, now, now, $3, '{}' from (select ${postgresNow} as now) as clock returning share)
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

  const end = async (jobs: readonly Leased[]): Promise<void> =>
    void (await run("end", ending, [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt), owner]));

  return {
    take,
    end,
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
            await end(jobs);
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

const sqliteNow = "cast(unixepoch('subsec') * 1000 as integer)";
const pollEveryMs = 5;

/** A queue as a program writes it that needs one once: no retries, no group commits. */
export function createHandSqlite(url: string): Subject {
  const file = new DatabaseSync(url.slice("sqlite:".length));
  file.exec("pragma synchronous = full; pragma busy_timeout = 5000");
  const owner = randomUUID();
  const lease = file.prepare(`
    update job set state = 1, owner = ?, attempt = attempt + 1 where sequence in (
      select sequence from job where share = ? and state = 0 and due_at <= (select ${sqliteNow})
      order by due_at, sequence limit ?)
    returning id, attempt, share, record`);
  const finish = file.prepare(`
    update job set state = 4, ended_at = ${sqliteNow}, outcome = 'done', output = '{}', input = null
    where id = ? and owner = ? and attempt = ? and state = 1`);
  const insert = file.prepare(`
    insert into job (id, kind, share, state, attempt, due_at, created_at, record, input)
    values (?, 'bench', ?, 0, 0, ${sqliteNow}, ${sqliteNow}, ?, '{}')`);
  const counter = file.prepare("pragma data_version");

  const together = (work: () => void): void => {
    file.exec("begin immediate");
    work();
    file.exec("commit");
  };

  const take = (open: readonly string[]): Leased[] => {
    const jobs: Leased[] = [];
    // A lease need not survive a power failure.
    file.exec("pragma synchronous = normal");
    together(() => {
      for (const share of open)
        jobs.push(...(lease.all(owner, share, Math.ceil(batch / open.length)) as unknown as Leased[]));
    });
    file.exec("pragma synchronous = full");
    return jobs;
  };
  const end = (jobs: readonly Leased[]): void =>
    together(() => {
      for (const { id, attempt } of jobs) finish.run(id, owner, attempt);
    });

  return {
    take: async (open) => take(open),
    end: async (jobs) => end(jobs),
    add: async (share, record) => void insert.run(randomUUID(), share, record),
    receive: async (share, onTaken) => {
      let known: unknown;
      setInterval(() => {
        const version = counter.get()?.["data_version"];
        if (version === known) return;
        known = version;
        for (let jobs = take([share]); jobs.length > 0; jobs = take([share])) {
          for (const { record } of jobs) onTaken(record);
          end(jobs);
        }
      }, pollEveryMs);
    },
  };
}
