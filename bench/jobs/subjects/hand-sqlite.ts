import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { batch } from "../plan.ts";
import type { Leased, Subject } from "./subject.ts";

const now = "cast(unixepoch('subsec') * 1000 as integer)";
const pollEveryMs = 5;

/** A queue as a program writes it that needs one once: no retries, no group commits. */
export function createHandSqlite(url: string): Subject {
  const file = new DatabaseSync(url.slice("sqlite:".length));
  file.exec("pragma synchronous = full; pragma busy_timeout = 5000");
  const owner = randomUUID();
  const taking = file.prepare(`
    update job set state = 1, owner = ?, attempt = attempt + 1 where sequence in (
      select sequence from job where share = ? and state = 0 and due_at <= (select ${now})
      order by due_at, sequence limit ?)
    returning id, attempt, share, record, lane`);
  const ending = file.prepare(`
    update job set state = 4, ended_at = ${now}, outcome = 'done', output = '{}', input = null
    where id = ? and owner = ? and attempt = ? and state = 1`);
  const promoting = file.prepare(`
    update job set state = 0 where sequence = (
      select sequence from job where lane = ? and state = 2 order by sequence limit 1)`);
  const inserting = file.prepare(`
    insert into job (id, kind, share, state, attempt, due_at, created_at, record, input)
    values (?, 'bench', ?, 0, 0, ${now}, ${now}, ?, '{}')`);
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
        jobs.push(...(taking.all(owner, share, Math.ceil(batch / open.length)) as unknown as Leased[]));
    });
    file.exec("pragma synchronous = full");
    return jobs;
  };
  const end = (jobs: readonly Leased[]): void =>
    together(() => {
      for (const { id, attempt, lane } of jobs) {
        ending.run(id, owner, attempt);
        if (typeof lane === "string") promoting.run(lane);
      }
    });

  const both: Subject["lanes"] = { take: async (open) => take(open), end: async (jobs) => end(jobs) };

  return {
    ...both,
    lanes: both,
    add: async (share, record) => void inserting.run(randomUUID(), share, record),
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
