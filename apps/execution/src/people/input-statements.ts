import { type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { InputRequest } from "@crosszone/contracts";
import type { NewJob } from "@crosszone/jobs";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, peopleColumn } from "@crosszone/sql";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { type ExecutionTables, teamKey } from "../store/open-execution-database.ts";
import { actionDigest, type InputRecord, isLive, type NewInput, nextReminder, nextTime } from "./input-record.ts";

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

/** Those who asked, can decide or have voted. */
function peopleOf({ requester, decide, escalate = [], votes, names = {} }: InputRequest): string {
  const voters = votes.map(({ user_id }) => user_id);
  return peopleColumn([requester, ...decide.people, ...escalate, ...voters, ...Object.values(names)]);
}

export const changedColumns = (request: InputRequest, now: number) => ({
  state: request.state,
  version: request.version,
  people: peopleOf(request),
  ended_at: isLive(request) ? null : now,
});

/** Returns the statements that store new requests with their jobs. Requests that exist stay as they are. */
export function insertStatements(
  db: Kysely<ExecutionTables>,
  records: readonly InputRecord[],
  how: {
    readonly now: number;
    readonly seal: (record: InputRecord) => string;
    readonly addJob: (job: NewJob<ExecutionColumn>) => CompiledQuery;
  },
): CompiledQuery[] {
  const { now, seal, addJob } = how;
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
      record: seal(record),
    });
    const job = addJob({
      id,
      kind: inputKind,
      share: inputKind,
      as: "ready",
      dueInMs: sleepOf(request, now),
      parent: run_id ?? task_id ?? undefined,
      team,
      record: "{}",
    });
    return [row.onConflict((conflict) => conflict.doNothing()).compile(), job];
  });
  return [takeSeq(records.length).compile(db), ...inserts];
}
