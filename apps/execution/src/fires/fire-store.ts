import {
  type Cap,
  type CapUse,
  type Fire,
  type FireOutcome,
  type FireSource,
  type FireState,
  type ListFiresParams,
  type Owner,
  type TakeFireParams,
  ZoneError,
} from "@crosszone/contracts";
import {
  createRecordCodec,
  opened,
  openedHere,
  type Purge,
  type RecordCodec,
  type Vault,
} from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import {
  columnText,
  now,
  nowText,
  purgeAfter,
  retryBriefly,
  rowsFromJson,
  rowsStatement,
  storedBytes,
  withinPageBytes,
} from "@crosszone/sql";
import { type SelectQueryBuilder, sql, type Transaction } from "kysely";
import { InputNews } from "../people/apply-change.ts";
import type { ExecutionTables, FireTable } from "../store/tables.ts";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";
import { dayOf, type FireCap, takeFire } from "../usage/budget.ts";

/** The sealed part of a fire. */
interface FireRecord {
  readonly title?: string | undefined;
  readonly owner: Owner;
  readonly agent: string;
  readonly text: string;
  readonly channel?: string | undefined;
  readonly thread_ts?: string | undefined;
  readonly cap: Cap;
  /** Who wrote the text, if its owner did not. */
  readonly written_by?: string | undefined;
}

/** A fire to store. */
interface NewFire extends FireRecord {
  /** UUID. */
  readonly fire_id: string;
  readonly source: FireSource;
  /** Name of the schedule or hook. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly scheduledAt: number;
  /** What happens once for this source and name, such as a delivery; the fire's id when absent. */
  readonly occasion?: string;
}

/** How a new fire begins. A skipped one takes nothing from its cap. */
export interface Beginning {
  readonly state: Extract<FireState, "queued" | "due" | "skipped">;
  /** Why it is skipped. */
  readonly reason?: string;
}

/** Which fires, newest first. */
interface FireFilter {
  readonly source?: FireSource | undefined;
  readonly name?: string | undefined;
  readonly state?: FireState | undefined;
  readonly before?: FireKey | undefined;
}

/** The place of a fire in the list: when it was created, and its id. */
type FireKey = readonly [createdAt: number, fireId: string];

/** The context that a sealed fire is bound to. */
export const fireContext = (fireId: string): string => `fire ${fireId}`;

/** A question that its requester or a newer fire ended is neither. */
const success = `case when new.state = 'withdrawn' or exists (
    select 1 from job where job.id = fire.fire_id and job.outcome = 'canceled') then null
  when new.state = 'answered' and exists (select 1 from job where job.id = fire.fire_id and job.outcome = 'success')
  then 1 else 0 end`;

/** Ends the fires of reported messages. Other messages change nothing. */
export const endFires = rowsStatement({
  columns: { reference: "text", caller: "text", state: "text", reason: "text" },
  text: (rows, engine) => `update fire set state = 'ended', outcome = new.state, ended_at = ${nowText[engine]},
    success = ${success}, reason = coalesce(new.reason, (select error_kind from job where job.id = fire.fire_id))
    from ${rows} where fire.fire_id = new.reference and fire.caller = new.caller and fire.state = 'running'`,
});

/** Stores the fires of schedules and hooks, for all processes of the zone. */
export class Fires {
  readonly #database: ExecutionDatabase;
  readonly #codec: RecordCodec;
  readonly #news = new InputNews();
  /** Deletes fires that ended more than `retentionMs` ago. */
  readonly purge: Purge;

  constructor(
    database: ExecutionDatabase,
    { vault, retentionMs }: { readonly vault?: Vault | undefined; readonly retentionMs: number },
  ) {
    this.#database = database;
    this.#codec = createRecordCodec(vault);
    this.purge = purgeAfter(database, { table: "fire", key: "fire_id", column: "ended_at" }, retentionMs);
  }

  /** Stores a fire that is due, unless one with its id or occasion is stored, or its cap has no room today. */
  async add(fire: NewFire): Promise<"added" | "known" | "cap"> {
    const added = await retryBriefly(() =>
      this.#database.transaction(async (tx) => {
        const at = await this.insert(tx, fire, { state: "due" });
        if (at === undefined) return "known";
        if (await takeFire(tx, fire, at)) return "added";
        await tx.deleteFrom("fire").where("fire_id", "=", fire.fire_id).execute();
        return "cap";
      }),
    );
    this.tell();
    return added;
  }

  /** Stores a fire within a transaction. Returns when, Unix milliseconds; undefined when its id or occasion is stored. */
  async insert(
    tx: Transaction<ExecutionTables>,
    { fire_id, source, name, scheduledAt, occasion = fire_id, ...record }: NewFire,
    { state, reason }: Beginning,
  ): Promise<number | undefined> {
    const { team_id, user_id } = record.owner;
    const at = sql<number>`(select ${now(this.#database.engine)})`;
    const isSkipped = state === "skipped";
    const row = tx.insertInto("fire").values({
      fire_id,
      source,
      name,
      occasion: columnText(occasion),
      state,
      team: teamKey(team_id),
      user_id: columnText(user_id),
      scheduled_at: scheduledAt,
      created_at: at,
      due_at: state === "due" ? at : null,
      ended_at: isSkipped ? at : null,
      // The end of a hook's fire counts nowhere.
      settled: Number(isSkipped || source === "hook"),
      canceling: 0,
      reason: reason ?? null,
      record: this.#codec.toColumn(record, fireContext(fire_id)),
    });
    const added = row.onConflict((conflict) => conflict.doNothing()).returning("created_at");
    return (await added.executeTakeFirst())?.created_at;
  }

  /** Returns the row of a fire; undefined for an unknown one. */
  find(fireId: string): Promise<FireTable | undefined> {
    const found = this.#database.db.selectFrom("fire").selectAll().where("fire_id", "=", fireId);
    return retryBriefly(() => found.executeTakeFirst());
  }

  /** Lets callers that wait in `due` look again. */
  readonly tell = (): void => this.#news.tell();

  /** Returns fires that wait for a caller with these teams, oldest first. Waits up to `waitMs` milliseconds for one. */
  due(
    { team_ids, limit = 50, authors = false }: ListFiresParams,
    how: { waitMs: number; signal?: AbortSignal | undefined },
  ) {
    const teams = team_ids.map(teamKey);
    const { db } = this.#database;
    const waiting = db.selectFrom("fire").where("state", "=", sql.lit("due")).where("team", "in", teams);
    const oldest = waiting.orderBy("due_at").orderBy("fire_id").limit(limit);
    const found = db.selectFrom("fire").selectAll().where(within(oldest)).orderBy("due_at").orderBy("fire_id");
    return this.#news.find(async () => this.#firesOf(await retryBriefly(() => found.execute()), authors), how);
  }

  /**
   * Stores what a caller did with a fire: the first time, unless it is no longer due. Returns the fire as it is now. Throws `invalid_params` for
   * an unknown fire and for another caller's.
   */
  async take({ fire_id, outcome, reason }: TakeFireParams, by: string): Promise<FireTable> {
    const { db, engine } = this.#database;
    const at = now(engine);
    const refused = {
      state: "skipped",
      ended_at: at,
      reason: columnText(reason ?? refusals[outcome]),
      success: 0,
    } as const;
    const change = outcome === "accepted" ? ({ state: "running", due_at: at } as const) : refused;
    const due = db
      .updateTable("fire")
      .set({ ...change, caller: columnText(by) })
      .where("fire_id", "=", fire_id);
    await retryBriefly(() => due.where("state", "=", "due").execute());
    const fire = await this.find(fire_id);
    if (fire !== undefined && (fire.caller ?? by) === by) return fire;
    throw new ZoneError("invalid_params", {
      problems: [{ pointer: "/fire_id", message: "no fire of this caller has this id" }],
    });
  }

  /** Takes the fire whose task a caller asks for. Throws as `take` does, and `canceled` when the fire is over or its key is missing. */
  async begin(fireId: string, by: string) {
    const fire = await this.take({ fire_id: fireId, outcome: "accepted" }, by);
    const record = this.#recordOf(fire);
    if (fire.state === "skipped" || (fire.state === "running" && fire.canceling !== 0) || record === undefined)
      throw new ZoneError("canceled");
    return { ...fire, ...record };
  }

  /** Returns how many fires wait for verification. */
  async waiting(): Promise<number> {
    const due = this.#database.db.selectFrom("fire").where("state", "=", sql.lit("due"));
    return (await due.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  }

  /** Returns a function that returns the latest fire of a schedule or hook, and what its cap counts today: the rows that refuse more. */
  async standingOf(source: FireSource, names: readonly string[]) {
    const { db, engine } = this.#database;
    const latest = sql<string>`(select fire_id from fire where source = ${source} and fire.name = named.name
      order by created_at desc, fire_id desc limit 1)`;
    const rows = names.map((name) => ({ name }));
    const named = rowsFromJson(engine, rows, { alias: "named", columns: { name: "text" } });
    const found = db
      .selectFrom("fire")
      .selectAll()
      .where(sql<boolean>`fire_id in (select ${latest} from ${named})`);
    const { at } = await retryBriefly(() => db.selectNoFrom(now(engine).as("at")).executeTakeFirstOrThrow());
    const used = db.selectFrom("budget_use").select(["subject", "unit", "used"]).where("period", "=", dayOf(at));
    const ofThese = used.where("scope", "=", source).where(sql<boolean>`subject in (select name from ${named})`);
    const [fires, uses] = await retryBriefly(() => Promise.all([found.execute(), ofThese.execute()]));
    const shown = this.#firesOf(fires);
    return (name: string): { readonly used: CapUse; readonly last_fire: Fire | undefined } => {
      const units = Object.fromEntries(uses.flatMap((use) => (use.subject === name ? [[use.unit, use.used]] : [])));
      const { fires: count = 0, tokens = 0, usd = 0 } = units as Partial<CapUse>;
      // Dollars are stored in millionths.
      return {
        used: { fires: count, tokens, usd: usd / 1_000_000 },
        last_fire: shown.find((fire) => fire.name === name),
      };
    };
  }

  /** Returns the cap that the model calls of a task or run count against; undefined if no fire has its id. */
  async capOf(fireId: string): Promise<FireCap | undefined> {
    const row = await this.find(fireId);
    const record = row && openedHere(() => this.#recordOf(row));
    return record && { source: row.source, name: row.name, cap: record.cap };
  }

  /** Returns a page, newest first, and the cursor of the next page, if there is one. */
  async page({ source, name, state, before }: FireFilter, limit: number) {
    const { db } = this.#database;
    const behind = ([at, id]: FireKey) => sql<boolean>`(created_at, fire_id) < (${at}, ${columnText(id)})`;
    let found = db.selectFrom("fire");
    if (source !== undefined) found = found.where("source", "=", source);
    if (name !== undefined) found = found.where("name", "=", columnText(name));
    if (state !== undefined) found = found.where(sql`state || ''`, "=", state);
    if (before !== undefined) found = found.where(behind(before));
    const newest = found.orderBy("created_at", "desc").orderBy("fire_id", "desc");
    const page = db
      .selectFrom("fire")
      .selectAll()
      .where(within(newest.limit(limit)));
    const rows = await retryBriefly(() => page.orderBy("created_at", "desc").orderBy("fire_id", "desc").execute());
    const last = rows.at(-1);
    const key: FireKey | undefined = last && [last.created_at, last.fire_id];
    // A page of large rows ends early.
    const more = key && newest.where(behind(key)).select("fire_id").limit(1);
    const next = (await retryBriefly(async () => more?.executeTakeFirst())) && key;
    return { fires: this.#firesOf(rows), next };
  }

  #recordOf({ fire_id, record }: FireTable): FireRecord {
    return this.#codec.fromColumn(record, fireContext(fire_id)) as FireRecord;
  }

  /** Omits fires whose key is missing: they wait for a process that has it. `authors`: with who wrote them, which older versions of verification don't know. */
  #firesOf(rows: readonly FireTable[], authors = false): Fire[] {
    return rows.flatMap((row) => {
      const record = opened(() => this.#recordOf(row));
      if (record === undefined) return [];
      const { cap: _, written_by, ...shown } = record;
      const { fire_id, source, name, state, outcome, reason, scheduled_at, created_at, ended_at } = row;
      return {
        ...shown,
        written_by: authors ? written_by : undefined,
        fire_id,
        source,
        name,
        state,
        outcome: outcome ?? undefined,
        reason: reason ?? undefined,
        scheduled_at: isoTime(scheduled_at),
        created_at: isoTime(created_at),
        ended_at: ended_at === null ? undefined : isoTime(ended_at),
      };
    });
  }
}

type FireQuery = SelectQueryBuilder<ExecutionTables, "fire", unknown>;

/** The rows of a list that fit into one page. */
const within = (list: FireQuery) =>
  withinPageBytes("fire", ["fire_id"], list.select(["fire_id", storedBytes("record").as("bytes")]));

const refusals: Readonly<Record<FireOutcome, string>> = {
  accepted: "",
  refused: "Verification refused it.",
  owner_left: "Its owner left.",
};
