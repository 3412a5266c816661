import { type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { AppendAudit, NewAuditEvent } from "@crosszone/audit";
import type { InputRequest, InputState } from "@crosszone/contracts";
import { jobStates, type JobStore } from "@crosszone/jobs";
import { createRecordCodec, opened, openedHere, type RecordCodec, type Vault } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import {
  columnText,
  deleteOlder,
  narrowedTo,
  type Narrowing,
  now,
  retryBriefly,
  storedBytes,
  withinPageBytes,
} from "@crosszone/sql";
import { type CompiledQuery, sql } from "kysely";
import type { InputRequestTable } from "../store/people-tables.ts";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";
import { askAct } from "./input-acts.ts";
import { closed, type InputRecord, isDue, type Moment, type NewInput } from "./input-record.ts";
import { callDigest, changedColumns, insertStatements, newInputRecord, takeSeq } from "./input-statements.ts";

export interface InputStoreOptions {
  readonly database: ExecutionDatabase;
  readonly jobs: Pick<JobStore<ExecutionColumn>, "queries" | "forget" | "settleClock"> & {
    /** Lets this process look for due jobs of tasks and requests. */
    readonly wakeHere: () => void;
  };
  readonly append: AppendAudit;
  /** Seals the requests. */
  readonly vault?: Vault | undefined;
}

/** A stored request, and the moment when it was read. */
interface FoundInput {
  readonly record: InputRecord;
  readonly moment: Moment;
}

/** Which caller of the zone link asks the deciders of a request, and in which Slack team. */
export interface InputClaim {
  readonly by: string;
  readonly team_id: string;
}

/** Which requests, in the order of their last change. Absent: all. */
export interface InputFilter extends Narrowing {
  /** Those that a caller of the zone link shows or can claim. */
  readonly shownBy?: string;
  /** One or several. */
  readonly taskId?: string | readonly string[] | undefined;
  readonly runIds?: readonly string[] | undefined;
  readonly state?: InputState | undefined;
  readonly afterSeq?: number | undefined;
  readonly beforeSeq?: number | undefined;
  /** Only those that can still change. */
  readonly live?: boolean;
  /** Whether it is open. */
  readonly open?: boolean | undefined;
}

/** The context that a sealed request is bound to. */
export const inputContext = (requestId: string): string => `input_request ${requestId}`;

const readColumns = ["request_id", "caller", "shown_by", "state", "version", "seq", "expires_at", "record"] as const;

/** A run whose task has ended may be retried, so the run decides. Requests of neither never lose their owner. */
const ownerEnded = sql<boolean | number>`case
  when run_id is not null then not exists (
    select 1 from workflow_run where workflow_run.run_id = input_request.run_id and workflow_run.ended_at is null)
  when task_id is not null then not exists (
    select 1 from job where job.id = input_request.task_id and job.state < ${sql.lit(jobStates.ended)})
  else 1 = 0 end`;

/** Stores input requests in the zone's database, for all its processes. */
export class InputStore {
  readonly #options: InputStoreOptions;
  readonly #codec: RecordCodec;

  constructor(options: InputStoreOptions) {
    this.#options = options;
    this.#codec = createRecordCodec(options.vault);
  }

  /**
   * Returns those of the requests that don't exist yet, and the statements that store them. `closedBecause`: by request id, why a request is not
   * asked; it is withdrawn from its beginning.
   */
  async adding(
    inputs: readonly NewInput[],
    closedBecause: ReadonlyMap<string, string> = new Map(),
  ): Promise<{ readonly added: readonly InputRecord[]; readonly statements: readonly CompiledQuery[] }> {
    const { database, jobs } = this.#options;
    const { db, engine } = database;
    const ids = inputs.map(({ request_id }) => request_id);
    if (ids.length === 0) return { added: [], statements: [] };
    const known = db.selectFrom("input_request").select("request_id").where("request_id", "in", ids);
    const time = sql<{ readonly at: number }>`select ${now(engine)} as at`;
    const [rows, { rows: clock }] = await retryBriefly(() => Promise.all([known.execute(), time.execute(db)]));
    const at = clock[0]?.at ?? 0;
    const fresh = inputs.filter((input) => rows.every(({ request_id }) => request_id !== input.request_id));
    const records = fresh.map((input) => {
      const record = newInputRecord(input, at);
      const because = closedBecause.get(input.request_id);
      const request = because && closed(record.request, "withdrawn", { now: at, because });
      return request ? { ...record, request } : record;
    });
    const seal = (record: InputRecord): string => this.#column(record);
    const statements = insertStatements(db, records, { now: at, seal, queries: jobs.queries });
    // A task whose run asks may have paused before the request was there. Before the other statements: see `change` for the order of locks.
    const tasks = records.flatMap(({ request: { run_id, task_id = "" } }) => (run_id === undefined ? [] : [task_id]));
    const woken = tasks.length === 0 ? [] : [jobs.queries.wake(tasks).compile(db)];
    const asked = records.length === 0 ? [] : this.#options.append.queries(records.map(askAct));
    return { added: records, statements: [...woken, ...asked, ...statements] };
  }

  /** Returns the open requests of other tasks for the same calls, by the ids of these requests. What is stored already is left out. */
  async sameCalls(inputs: readonly NewInput[]): Promise<ReadonlyMap<string, InputRequest>> {
    const { db } = this.#options.database;
    const requests = inputs.map((input) => newInputRecord(input, 0).request);
    const digests = requests.flatMap((request) => callDigest(request) ?? []);
    if (digests.length === 0) return new Map();
    const ids = requests.map(({ request_id }) => request_id);
    const open = this.#matching({ state: "open" }).select([...readColumns, "call_digest"]);
    const equal = open.where("call_digest", "in", digests).where("request_id", "not in", ids).orderBy("seq");
    const known = db.selectFrom("input_request").select("request_id").where("request_id", "in", ids);
    const [rows, stored] = await retryBriefly(() => Promise.all([equal.execute(), known.execute()]));
    const unstored = requests.filter(({ request_id }) => stored.every((one) => one.request_id !== request_id));
    return new Map(
      unstored.flatMap((request) => {
        const same = this.#recordsOf(rows.filter(({ call_digest }) => call_digest === callDigest(request)));
        const other = same.find((one) => one.request.task_id !== request.task_id);
        return other === undefined ? [] : [[request.request_id, other.request] as const];
      }),
    );
  }

  /** Returns a request; undefined when it is unknown or deleted. Rejects if its key is missing. */
  async find(requestId: string): Promise<FoundInput | undefined> {
    const found = await this.#read(requestId);
    if (found === undefined || !isDue(found)) return found;
    // A request that is due only because the clock has jumped gets its time back.
    await this.#options.jobs.settleClock({ asks: true });
    return this.#read(requestId);
  }

  async #read(requestId: string): Promise<FoundInput | undefined> {
    const { db, engine } = this.#options.database;
    const query = db
      .selectFrom("input_request")
      .select([...readColumns, now(engine).as("now"), ownerEnded.as("owner_ended")])
      .where("request_id", "=", columnText(requestId));
    const row = await retryBriefly(() => query.executeTakeFirst());
    const record = row && openedHere(() => this.#recordOf(row));
    return record && { record, moment: { now: row.now, ownerEnded: Boolean(row.owner_ended) } };
  }

  /** Stores acts that change nothing. */
  async append(...acts: readonly NewAuditEvent[]): Promise<void> {
    if (acts.length > 0) await retryBriefly(() => this.#options.append(this.#options.database.db, acts));
  }

  /**
   * Stores a change of a request with its audit events, and wakes what waits for it in the same transaction. Returns the request; undefined
   * when it changed since it was read.
   */
  async change(
    { record, moment }: FoundInput,
    changed: InputRequest,
    { acts, claim }: { readonly acts: readonly NewAuditEvent[]; readonly claim?: InputClaim | undefined },
  ) {
    const { database, jobs } = this.#options;
    const { request_id: id, version, state, task_id } = record.request;
    const next = { ...changed, version: version + 1 };
    const columns = {
      ...changedColumns(next, moment.now),
      record: this.#column({ ...record, request: next }),
      shown_by: claim && columnText(claim.by),
      team: claim && teamKey(claim.team_id),
    };
    const stored = await retryBriefly(() =>
      database.transaction(async (transaction) => {
        const row = transaction.updateTable("input_request").where("request_id", "=", id);
        const { numUpdatedRows } = await row.set(columns).where("version", "=", version).executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return undefined;
        const woken = state === "open" && task_id !== undefined ? [id, task_id] : [id];
        if (next.state !== state) await jobs.queries.wake(woken).execute(transaction);
        if (acts.length > 0) await this.#options.append(transaction, acts);
        // Last, because all changes of requests wait for its lock.
        const { rows } = await takeSeq(1).execute(transaction);
        const seq = rows[0]?.seq ?? 0;
        await row.set({ seq }).execute();
        return { ...next, seq };
      }),
    );
    if (stored !== undefined && stored.state !== state) jobs.wakeHere();
    return stored;
  }

  /** Stores that a caller of the zone link follows the requests. */
  async follow(caller: string): Promise<void> {
    const { db, engine } = this.#options.database;
    const row = { caller: columnText(caller), followed_at: sql<number>`(select ${now(engine)})` };
    const stored = db.insertInto("input_follower").values(row);
    await retryBriefly(() => stored.onConflict((conflict) => conflict.column("caller").doUpdateSet(row)).execute());
  }

  /** Whether any caller has ever followed the requests. */
  async isFollowed(): Promise<boolean> {
    const any = this.#options.database.db.selectFrom("input_follower").select("caller").limit(1);
    return (await retryBriefly(() => any.executeTakeFirst())) !== undefined;
  }

  /** Returns requests in the order of their last change, `limit` at most. */
  async list(filter: InputFilter, limit: number): Promise<readonly InputRecord[]> {
    const query = this.#matching(filter).select(readColumns).orderBy("seq").limit(limit);
    return this.#recordsOf(await retryBriefly(() => query.execute()));
  }

  /** Returns a part of the requests in the order of their last change or the reverse. It ends early with large ones, see `withinPageBytes`. */
  async part(
    filter: InputFilter,
    { limit, order }: { readonly limit: number; readonly order: "asc" | "desc" },
  ): Promise<readonly InputRecord[]> {
    const sized = this.#matching(filter).select(["request_id", storedBytes("record").as("bytes")]);
    const page = sized.orderBy("seq", order).limit(limit);
    const query = this.#options.database.db
      .selectFrom("input_request")
      .select(readColumns)
      .where(withinPageBytes("input_request", ["request_id"], page))
      .orderBy("seq", order);
    return this.#recordsOf(await retryBriefly(() => query.execute()));
  }

  /** Returns a page of the requests, latest change first, and the `beforeSeq` of the next page, if there is one. */
  async page(
    filter: InputFilter,
    limit: number,
  ): Promise<{ readonly records: readonly InputRecord[]; readonly next: number | undefined }> {
    const records = await this.part(filter, { limit, order: "desc" });
    const beforeSeq = records.at(-1)?.request.seq;
    if (beforeSeq === undefined) return { records, next: undefined };
    // A page of large rows ends early.
    const older = this.#matching({ ...filter, beforeSeq })
      .select("seq")
      .limit(1);
    return { records, next: (await retryBriefly(() => older.executeTakeFirst())) && beforeSeq };
  }

  async count(filter: InputFilter): Promise<number> {
    const query = this.#matching(filter).select(({ fn }) => fn.countAll<number>().as("total"));
    return (await retryBriefly(() => query.executeTakeFirstOrThrow())).total;
  }

  /** Deletes requests that ended more than `retentionMs` ago, with their jobs, `most` of each at most. Returns how many requests. */
  async forget(retentionMs: number, most: number): Promise<number> {
    const { database, jobs } = this.#options;
    const { db, engine } = database;
    await jobs.forget(inputKind, retentionMs, most);
    const before = sql<number>`(select ${now(engine)} - ${retentionMs})`;
    return deleteOlder(db, { table: "input_request", key: "request_id", column: "ended_at", before }, most);
  }

  #matching({ shownBy, taskId, runIds, state, afterSeq, beforeSeq, live, open, ...narrowing }: InputFilter) {
    let found = this.#options.database.db.selectFrom("input_request").where(narrowedTo(narrowing, "request_id"));
    if (shownBy !== undefined)
      found = found.where((eb) => eb.or([eb("shown_by", "=", columnText(shownBy)), eb("shown_by", "is", null)]));
    if (taskId !== undefined) found = found.where("task_id", "in", [taskId].flat().map(columnText));
    if (runIds !== undefined) found = found.where("run_id", "in", runIds.map(columnText));
    if (state !== undefined) found = found.where("state", "=", sql.lit(state));
    if (afterSeq !== undefined) found = found.where("seq", ">", afterSeq);
    if (beforeSeq !== undefined) found = found.where("seq", "<", beforeSeq);
    if (open !== undefined) found = found.where("state", open ? "=" : "<>", sql.lit("open"));
    return live === true ? found.where("ended_at", "is", null) : found;
  }

  #column(record: InputRecord): string {
    const { request, terms } = record;
    return this.#codec.toColumn({ request, terms }, inputContext(request.request_id));
  }

  #recordsOf(rows: readonly InputRow[]): readonly InputRecord[] {
    return rows.flatMap((row) => opened(() => this.#recordOf(row)) ?? []);
  }

  #recordOf(row: InputRow): InputRecord {
    const { request_id, caller, shown_by: shownBy, state, version, seq, expires_at, record } = row;
    const read = this.#codec.fromColumn(record, inputContext(request_id)) as InputRecord;
    return { ...read, request: { ...movedTo(read.request, expires_at), state, version, seq }, caller, shownBy };
  }
}

/** Returns a request with its other times moved as far as its expiry: the clock has jumped since the record was stored. */
function movedTo(request: InputRequest, expiresAt: number): InputRequest {
  const ms = expiresAt - Date.parse(request.expires_at);
  if (ms === 0) return request;
  const moved = (time: string | undefined) => (time === undefined ? time : isoTime(Date.parse(time) + ms));
  const { remind_at, execute_until } = request;
  return {
    ...request,
    expires_at: isoTime(expiresAt),
    remind_at: moved(remind_at),
    execute_until: moved(execute_until),
  };
}

type InputRow = Pick<InputRequestTable, (typeof readColumns)[number]>;
