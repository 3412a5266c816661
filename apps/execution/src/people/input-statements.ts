import { hash } from "node:crypto";
import { type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { InputRequest } from "@crosszone/contracts";
import type { JobStore } from "@crosszone/jobs";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, peopleColumn } from "@crosszone/sql";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { teamKey } from "../store/open-execution-database.ts";
import type { ExecutionTables } from "../store/tables.ts";
import {
  actionDigest,
  type InputRecord,
  isLive,
  type NewInput,
  nextReminder,
  nextTime,
  userNamed,
} from "./input-record.ts";

/** Longest time between two looks at a request, milliseconds. A look finds out whether the task or run has ended. */
const longestSleepMs = 3_600_000;

/** Returns the time until the next look at a live request, milliseconds. */
export const sleepOf = (request: InputRequest, now: number): number =>
  Math.max(0, Math.min(nextTime(request) - now, longestSleepMs));

/** Takes the next `count` places in the order of changes. Its lock lasts until the commit, so a reader never sees a later place first. */
export const takeSeq = (count: number): RawBuilder<{ readonly seq: number }> => sql`
  insert into input_change (id, seq) values (1, ${count})
  on conflict (id) do update set seq = input_change.seq + ${count} returning seq`;

/** Returns a new request as it is at the time `now`, Unix milliseconds. */
export function newInputRecord(input: NewInput, now: number): InputRecord {
  const { caller, action, expiresInMs, executeWithinMs, remindEveryMs, policy, not, key, ...asked } = input;
  const terms = { executeWithinMs, remindEveryMs, policy, not, key };
  const request: InputRequest = {
    ...asked,
    action: action && ({ ...action, digest: actionDigest(action, input, policy) } as InputRequest["action"]),
    state: "open",
    version: 1,
    seq: 1,
    created_at: isoTime(now),
    expires_at: isoTime(now + expiresInMs),
    remind_at: nextReminder(terms, { now, before: now + expiresInMs }),
    votes: [],
  };
  return { request, terms, caller, shownBy: input.origin === undefined ? caller : null };
}

/** The queries about jobs that belong to the transaction of a request. */
type InputJobs = JobStore<ExecutionColumn>["queries"];

/** Returns what names a call of one requester in one Slack thread; undefined for anything else. The digest of the action names the requester. */
export function callDigest({ action, channel, thread_ts, run_id, origin }: InputRequest): string | undefined {
  if (action === undefined || thread_ts === undefined || run_id !== undefined || origin !== undefined) return undefined;
  return hash("sha256", canonicalJson([action.digest, channel, thread_ts]));
}

/** Those who asked, can decide or have voted. */
function peopleOf({ requester, decide, escalate = [], votes, names = {} }: InputRequest): string {
  const voters = votes.map(({ user_id }) => user_id);
  const named = [...decide.people, ...escalate].map(userNamed);
  return peopleColumn([requester, ...named, ...voters, ...Object.values(names)]);
}

export const changedColumns = (request: InputRequest, now: number) => ({
  state: request.state,
  version: request.version,
  people: peopleOf(request),
  ended_at: isLive(request) ? null : now,
});

/**
 * Returns the statements that store new requests with their jobs. Requests that exist stay as they are. A request for a call that another task
 * asked at the same moment is not kept. A task that then waits for nothing is woken, and finds that one.
 */
export function insertStatements(
  db: Kysely<ExecutionTables>,
  records: readonly InputRecord[],
  how: {
    readonly now: number;
    readonly seal: (record: InputRecord) => string;
    readonly queries: InputJobs;
  },
): CompiledQuery[] {
  const { now, seal, queries } = how;
  if (records.length === 0) return [];
  const inserts = records.flatMap((record, index) => {
    const { request, caller, shownBy } = record;
    const { request_id: id, task_id = null, run_id = null, team_id } = request;
    const team = team_id === undefined ? null : teamKey(team_id);
    const later = records.length - 1 - index;
    const row = db.insertInto("input_request").values({
      ...changedColumns(request, now),
      request_id: id,
      task_id,
      run_id,
      seq: sql<number>`(select seq from input_change) - ${later}`,
      caller: caller === null ? null : columnText(caller),
      shown_by: shownBy === null ? null : columnText(shownBy),
      team,
      created_at: now,
      expires_at: Date.parse(request.expires_at),
      call_digest: callDigest(request) ?? null,
      record: seal(record),
    });
    const job = queries.add({
      id,
      kind: inputKind,
      share: inputKind,
      as: "ready",
      dueInMs: sleepOf(request, now),
      parent: run_id ?? task_id ?? undefined,
      team,
      record: "{}",
    });
    const stored = row.onConflict((conflict) => conflict.doNothing()).compile();
    return [stored, job, ...withoutEqual(db, request, queries)];
  });
  const calls = records.filter(({ request }) => callDigest(request) !== undefined);
  const tasks = new Set(calls.flatMap(({ request }) => request.task_id ?? []));
  // They pause in the same commit.
  const woken = [...tasks].map((id) => queries.wake([id], waitsForNothing(id)).compile(db));
  return [takeSeq(records.length).compile(db), ...inserts, ...woken];
}

/**
 * Returns the statements that delete a request, with its job, for a call that another task asks already. The lock of `takeSeq` makes the other
 * request visible.
 */
function withoutEqual(db: Kysely<ExecutionTables>, request: InputRequest, queries: InputJobs): CompiledQuery[] {
  const { request_id: id, task_id = "", state } = request;
  const digest = callDigest(request);
  if (digest === undefined || state !== "open") return [];
  const equal = sql<boolean>`exists (select 1 from input_request as other
    where other.state = 'open' and other.call_digest = ${digest} and other.task_id <> ${columnText(task_id)})`;
  const own = db.deleteFrom("input_request").where("request_id", "=", id).where(equal);
  const gone = sql`not exists (select 1 from input_request where request_id = ${id})`;
  return [own.compile(), queries.takeBack(id, gone).compile(db)];
}

/** A condition of SQL: a task waits for no open request. */
const waitsForNothing = (taskId: string): RawBuilder<unknown> =>
  sql`not exists (select 1 from input_request where task_id = ${columnText(taskId)} and input_request.state = 'open')`;
