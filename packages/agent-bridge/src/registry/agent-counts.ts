import { randomUUID } from "node:crypto";
import type { AgentActivity, AgentFailedCall } from "@crosszone/contracts";
import { asksBack, isoTime } from "@crosszone/service-kit/text";
import { columnText, type Database, type MigrationStep, retryBriefly, sqlStep } from "@crosszone/sql";
import { sql } from "kysely";

interface CallCountTable {
  agent: string;
  /** When the hour began, Unix milliseconds. */
  hour: number;
  /** `succeeded`, or the kind of the failure. */
  outcome: string;
  calls: number;
  /** Requests that started the task. */
  attempts: number;
  last_at: number;
}

/** `team`: digest of the data's owner. */
interface FailedCallTable extends Pick<AgentFailedCall, "made_by" | "run_id" | "task_id" | "correlation_id" | "kind"> {
  id: string;
  agent: string;
  at: number;
  attempts: number;
  team: string | null;
}

/** Calls of agents that have ended, whoever made them. The rows outlive the calls. Times are Unix milliseconds, by the process's clock. */
export interface AgentCountTables {
  agent_call_count: CallCountTable;
  failed_agent_call: FailedCallTable;
}

/** Adds the tables of counts, and the column for what an agent's card says. */
export const agentCountsStep: MigrationStep = sqlStep(`
  create table agent_call_count (
    agent text not null, hour bigint not null, outcome text not null, calls bigint not null, attempts bigint not null,
    last_at bigint not null, constraint agent_call_count_key primary key (hour, agent, outcome));
  create table failed_agent_call (
    id text primary key, agent text not null, at bigint not null, kind text not null, made_by text not null,
    run_id text not null, task_id text not null, correlation_id text not null, attempts bigint not null, team text);
  create index failed_agent_call_latest on failed_agent_call (agent, at);
  create index failed_agent_call_by_team on failed_agent_call (team) where team is not null;
  alter table agent add column card text`);

/** The place of a failed call in the list: when it ended, and its id. */
type CallKey = readonly [at: number, id: string];

/** A call that has ended. `kind`: of its failure. */
export type CountedCall = Omit<FailedCallTable, "id" | "at" | "kind"> & { readonly kind: string | undefined };

/** What the calls of an agent came to in a day. */
export type AgentCounts = Pick<AgentActivity, "ended" | "failed" | "failure" | "failed_at" | "day">;

/** Time in which calls are gathered for one commit, and the wait after a failed one, milliseconds. A crash loses what waits. */
const [gatherMs, againMs] = [1_000, 10_000];
const [hourMs, dayMs, keptMs] = [3_600_000, 86_400_000, 604_800_000];
/** The most failed calls that are kept: of an agent, and in a process for the next commit. */
const [mostOfAgent, mostWaiting] = [200, 500];

/** Counts the calls of registered agents by hour. No call waits for it: all calls of a second are stored in one commit. */
export class AgentCallCounts {
  readonly #database: Database<AgentCountTables>;
  readonly #onFailure: (cause: unknown) => void;
  #counts = new Map<string, CallCountTable>();
  #failed: FailedCallTable[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  /** `onFailure`: what waits could not be stored; it is retried. */
  constructor(database: Database<AgentCountTables>, onFailure: (cause: unknown) => void) {
    this.#database = database;
    this.#onFailure = onFailure;
  }

  readonly count = ({ kind, ...call }: CountedCall): void => {
    const at = Date.now();
    const { agent: name, run_id: run, task_id: task, correlation_id: reference } = call;
    const [agent = "", run_id = "", task_id = "", correlation_id = ""] = [name, run, task, reference].map(columnText);
    const hour = at - (at % hourMs);
    this.#add({ agent, hour, outcome: kind ?? "succeeded", calls: 1, attempts: call.attempts, last_at: at });
    const ids = { id: randomUUID(), agent, run_id, task_id, correlation_id };
    if (kind !== undefined && !asksBack(kind)) this.#failed.push({ ...call, ...ids, at, kind });
    if (this.#failed.length >= 2 * mostWaiting) this.#failed.splice(0, mostWaiting);
    this.#timer ??= setTimeout(() => void this.#flush(), gatherMs).unref();
  };

  /** Reads the counts of a day, by agent. Those of this process are all in it. */
  async read(): Promise<ReadonlyMap<string, AgentCounts>> {
    await this.#flush();
    const thisHour = Date.now() - (Date.now() % hourMs);
    const stored = this.#database.db.selectFrom("agent_call_count").selectAll();
    const rows = await retryBriefly(() => stored.where("hour", ">", thisHour - dayMs).execute());
    const countsOf = ([agent, all]: [string, CallCountTable[]]): [string, AgentCounts] => {
      const failures = all.filter(({ outcome }) => outcome !== "succeeded" && !asksBack(outcome));
      const last = failures.toSorted((one, other) => other.last_at - one.last_at)[0];
      const lately = ({ hour }: CallCountTable): boolean => hour >= thisHour - hourMs;
      return [
        agent,
        {
          ended: callsIn(all.filter(lately)),
          failed: callsIn(failures.filter(lately)),
          failure: last?.outcome,
          failed_at: last && isoTime(last.last_at),
          day: {
            calls: callsIn(all),
            attempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
            failed: callsIn(failures),
            asked: callsIn(all.filter(({ outcome }) => asksBack(outcome))),
          },
        },
      ];
    };
    return new Map([...Map.groupBy(rows, ({ agent }) => agent)].map(countsOf));
  }

  /**
   * Returns a page of an agent's failed calls, the latest first, how many there are, and the last call of the page unless it is the last page.
   * The tables of runs, with the steps that made calls, are in the same database.
   */
  async failedCalls(agent: string, { limit, after }: { readonly limit: number; readonly after?: CallKey | undefined }) {
    await this.#flush();
    const { db } = this.#database;
    const all = sql`from failed_agent_call as call where agent = ${columnText(agent)}`;
    const left = after
      ? sql`${all} and (at < ${after[0]} or (at = ${after[0]} and id > ${columnText(after[1])}))`
      : all;
    const [{ rows }, { rows: counts }] = await retryBriefly(() =>
      Promise.all([
        sql<FailedCallTable & { readonly workflow_id: string | null; readonly path: string | null }>`
          select call.*, workflow_id, path from (select * ${left} order by at desc, id limit ${limit}) as call
          left join workflow_step as step on step.run_id = call.run_id and step.task_id = call.task_id
          left join workflow_run as run on run.run_id = step.run_id order by call.at desc, call.id`.execute(db),
        sql<{ readonly total: number; readonly rest: number }>`
          select (select count(*) ${all}) as total, (select count(*) ${left}) as rest`.execute(db),
      ]),
    );
    const calls = rows.map(({ id: _id, agent: _agent, team: _team, at, workflow_id, path, ...call }) => {
      const step = workflow_id === null || path === null ? {} : { workflow_id, path };
      return { ...call, ...step, at: isoTime(at) } satisfies AgentFailedCall;
    });
    const [{ total, rest } = { total: 0, rest: 0 }, last] = [counts[0], rows.at(-1)];
    const next: CallKey | undefined = last && rest > rows.length ? [last.at, last.id] : undefined;
    return { calls, total, next };
  }

  readonly purge = {
    table: "agent_call_count",
    purge: async (): Promise<number> => {
      const { db } = this.#database;
      const before = Date.now() - keptMs;
      const gone = await db.deleteFrom("agent_call_count").where("hour", "<", before).executeTakeFirst();
      await sql`delete from failed_agent_call where at < ${before} or id in (select id from (select id,
        row_number() over (partition by agent order by at desc, id) as nth from failed_agent_call) as call
        where nth > ${mostOfAgent})`.execute(db);
      return Number(gone.numDeletedRows);
    },
  };

  /** Stores what waits. */
  readonly close = async (): Promise<void> => {
    await this.#flush();
    clearTimeout(this.#timer);
  };

  #add(count: CallCountTable): void {
    const key = JSON.stringify([count.hour, count.agent, count.outcome]);
    const { calls, attempts, last_at } = this.#counts.get(key) ?? { calls: 0, attempts: 0, last_at: 0 };
    const sum = { calls: calls + count.calls, attempts: attempts + count.attempts };
    this.#counts.set(key, { ...count, ...sum, last_at: Math.max(last_at, count.last_at) });
  }

  readonly #flush = (): Promise<void> => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The same order in every process prevents deadlocks.
    const counts = [...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
    const failed = this.#failed.slice(-mostWaiting);
    if (counts.length === 0) return this.#storing;
    [this.#counts, this.#failed] = [new Map(), []];
    this.#storing = this.#storing
      .then(() => this.#store(counts, failed))
      .catch((cause: unknown) => {
        this.#onFailure(cause);
        for (const count of counts) this.#add(count);
        this.#failed.unshift(...failed);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#flush(), againMs).unref();
      });
    return this.#storing;
  };

  #store(counts: readonly CallCountTable[], failed: readonly FailedCallTable[]): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const adding = tx
        .insertInto("agent_call_count")
        .values(counts)
        .onConflict((conflict) =>
          conflict.columns(["hour", "agent", "outcome"]).doUpdateSet((eb) => ({
            calls: eb("agent_call_count.calls", "+", eb.ref("excluded.calls")),
            attempts: eb("agent_call_count.attempts", "+", eb.ref("excluded.attempts")),
            last_at: eb.ref("excluded.last_at"),
          })),
        );
      await adding.execute();
      if (failed.length > 0) await tx.insertInto("failed_agent_call").values(failed).execute();
    });
  }
}

const callsIn = (counts: readonly CallCountTable[]): number => counts.reduce((sum, { calls }) => sum + calls, 0);
