import type { AppendAudit } from "@crosszone/audit";
import type {
  Fire,
  FireState,
  NewSchedule,
  Schedule,
  ScheduleChange,
  ScheduleSettings,
  ScheduleSource,
  ScheduleState,
  TakeFireParams,
} from "@crosszone/contracts";
import { type Emit, createRecordCodec, opened, type Vault } from "@crosszone/service-kit";
import type { Times } from "@crosszone/service-kit/cron";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, forUpdate, now, retryBriefly, storedBytes, withinPageBytes } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql, type Transaction } from "kysely";
import type { ScheduleTable } from "../store/fire-tables.ts";
import { type ExecutionDatabase, type ExecutionTables, teamKey } from "../store/open-execution-database.ts";
import { dayOf } from "../usage/budget.ts";
import { type Changer, refusal, ScheduleRefusal } from "./changer.ts";
import { Fires } from "./fire-store.ts";
import { because, columnsOfNext, ofName, pauseAct, pausedColumns, ScheduleFires } from "./schedule-fires.ts";
import {
  haveSameTimes,
  jitterOf,
  problemsOfSettings,
  openSettings,
  scheduleContext,
  timesOf,
} from "./schedule-settings.ts";

/** Which schedules, by name. */
interface ScheduleFilter {
  /** A Slack user, in any team if none is named. */
  readonly user_id?: string | undefined;
  readonly team_id?: string;
  readonly state?: ScheduleState | undefined;
  /** Those after this name. */
  readonly after?: string | undefined;
}

/** The most schedules of a person: more than one keeps in mind. */
export const mostOfOwner = 100;

/** A schedule to store. `replaces`: in the place of one with its name. */
interface SavedSchedule extends NewSchedule {
  readonly replaces?: boolean | undefined;
}

interface Attempt {
  readonly name: string;
  readonly act: string;
  readonly by: Changer;
}

type Tx = Transaction<ExecutionTables>;

/** The schedules of the zone. Each change is one transaction, with its audit event. */
export class Schedules {
  readonly fires: Fires;
  readonly starting: ScheduleFires;
  readonly #database: ExecutionDatabase;
  readonly #append: AppendAudit;
  readonly #emit: Emit<ExecutionEvent>;
  readonly #codec: ReturnType<typeof createRecordCodec>;

  constructor(
    database: ExecutionDatabase,
    options: {
      readonly append: AppendAudit;
      readonly emit: Emit<ExecutionEvent>;
      readonly vault?: Vault | undefined;
      /** How long an ended fire is kept, milliseconds. */
      readonly retentionMs: number;
    },
  ) {
    const { append, emit, vault } = options;
    this.#database = database;
    this.#append = append;
    this.#emit = emit;
    this.#codec = createRecordCodec(vault);
    this.fires = new Fires(database, options);
    this.starting = new ScheduleFires(database, { fires: this.fires, append, emit, codec: this.#codec });
  }

  /** Returns a schedule; undefined when it is unknown, its key is missing, or it is another person's. */
  async find(name: string, { team_id, user_id }: ScheduleFilter = {}): Promise<Schedule | undefined> {
    const row = this.#matching({ team_id, user_id }).selectAll().where("name", "=", columnText(name));
    return (await this.#schedulesOf(await retryBriefly(() => row.execute())))[0];
  }

  /** Returns a page by name, and the name after which the next page begins, if there is one. */
  async page(filter: ScheduleFilter, limit: number) {
    const { db } = this.#database;
    const sized = this.#matching(filter).select(["name", storedBytes("record").as("bytes")]);
    const named = withinPageBytes("schedule", ["name"], sized.orderBy("name").limit(limit));
    const shown = db.selectFrom("schedule").selectAll().where(named).orderBy("name");
    const rows = await retryBriefly(() => shown.execute());
    const after = rows.at(-1)?.name;
    // A page of large rows ends early.
    const behind = this.#matching({ ...filter, after })
      .select("name")
      .limit(1);
    const hasMore = after !== undefined && (await retryBriefly(() => behind.executeTakeFirst())) !== undefined;
    return { schedules: await this.#schedulesOf(rows), next: hasMore ? after : undefined };
  }

  /** Returns how many schedules are paused, by the reason's word. */
  async paused() {
    const counted = this.#database.db.selectFrom("schedule").where("state", "=", "paused").groupBy("paused_reason");
    const rows = await counted.select(["paused_reason", ({ fn }) => fn.countAll<number>().as("count")]).execute();
    const countOf = (why: string | undefined): number => rows.find((row) => row.paused_reason === why)?.count ?? 0;
    const [failures, owner_left] = [countOf(because.failures), countOf(because.ownerLeft)];
    const all = rows.reduce((sum, { count }) => sum + count, 0);
    return { failures, owner_left, by_hand: all - failures - owner_left };
  }

  /** Returns what an operator should know: how long the oldest fire waits, which schedules paused by themselves, and today's costliest. */
  async readings() {
    const { db, engine } = this.#database;
    const counted = sql<{ active: number; next_at: number | null; waited: number | null }>`select
      (select count(*) from schedule where state = 'active') as active,
      (select min(due_at) from schedule) as next_at,
      (select ${now(engine)} - min(due_at) from fire where state = 'due') as waited`;
    const stopped = db
      .selectFrom("schedule")
      .select(["name", "paused_reason"])
      .where("paused_reason", "in", [because.ownerLeft, because.failures]);
    const today = dayOf((await db.selectNoFrom(now(engine).as("at")).executeTakeFirstOrThrow()).at);
    const costs = db.selectFrom("budget_use").select(["subject as name", "used"]).where("scope", "=", "schedule");
    const [{ rows }, paused, costliest] = await Promise.all([
      counted.execute(db),
      stopped.orderBy("name").limit(10).execute(),
      costs.where("unit", "=", "usd").where("period", "=", today).orderBy("used", "desc").executeTakeFirst(),
    ]);
    const { active = 0, next_at = null, waited = null } = rows[0] ?? {};
    return {
      active,
      nextAt: next_at === null ? undefined : isoTime(next_at),
      oldestDueMs: waited ?? 0,
      paused: paused.map(({ name, paused_reason: why }) => `${name}: ${why}`),
      // Dollars are stored in millionths.
      costliest: costliest && { name: costliest.name, usd: costliest.used / 1_000_000 },
    };
  }

  /** Returns the names of the schedules of a source. */
  async namesOf(source: ScheduleSource): Promise<readonly string[]> {
    const found = this.#database.db.selectFrom("schedule").select("name").where("source", "=", source);
    return (await retryBriefly(() => found.execute())).map(({ name }) => name);
  }

  /** Creates a schedule, or changes it if `replaces`. Throws a `ScheduleRefusal`. */
  async save(saving: SavedSchedule, by: Changer): Promise<Schedule> {
    await this.#attempt({ name: saving.name, act: "save", by }, () => this.#save(saving, by));
    const saved = await this.find(saving.name);
    if (saved === undefined) throw refusal("not_found");
    return saved;
  }

  async #save({ name, settings, replaces = false }: SavedSchedule, by: Changer): Promise<void> {
    const wrong = problemsOfSettings(settings);
    if (wrong.length > 0) throw new ScheduleRefusal("not_valid", wrong);
    const { engine, transaction } = this.#database;
    await retryBriefly(() =>
      transaction(async (tx) => {
        const known = await this.#lock(tx, name);
        if (known !== undefined && !(replaces && isOf(by, known))) throw refusal("exists");
        if (known !== undefined && (known.source === "file") !== (by.source === "file"))
          throw refusal(by.source === "file" ? "exists" : "of_file");
        const before = known && openSettings(this.#codec, known);
        if (before !== undefined && canonicalJson(before) === canonicalJson(settings)) return;
        const { at } = await tx.selectNoFrom(now(engine).as("at")).executeTakeFirstOrThrow();
        const anchor = known !== undefined && before?.every_ms === settings.every_ms ? known.anchor_at : at;
        const keeps = known !== undefined && before !== undefined && haveSameTimes(before, settings);
        const next = columnsOfNext(timesOf(settings, anchor).next(at), jitterOf(name, settings));
        const { team_id, user_id } = settings.owner;
        const row = {
          team: teamKey(team_id),
          user_id: columnText(user_id),
          anchor_at: anchor,
          changed_at: at,
          changed_by: by.name,
          record: this.#codec.toColumn(settings, scheduleContext(name)),
          ...(keeps || known?.state === "paused" ? {} : next),
        };
        if (known !== undefined) await ofName(tx, name).set(row).execute();
        else await this.#create(tx, { name, source: by.source, ...row, ...next });
        const action = known === undefined ? "schedule.create" : "schedule.change";
        await this.#append(tx, [by.act({ action, target: target(name), details: detailsOf(settings) })]);
      }),
    );
  }

  async #create(tx: Tx, row: Omit<ScheduleTable, "state" | "failures" | "paused_reason">): Promise<void> {
    const ofOwner = tx.selectFrom("schedule").where("team", "=", row.team).where("user_id", "=", row.user_id);
    const { count } = await ofOwner.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    const message = `has ${mostOfOwner} schedules: remove one first`;
    if (count >= mostOfOwner) throw new ScheduleRefusal("not_valid", { pointer: "/owner", message });
    const created = tx.insertInto("schedule").values({ ...row, state: "active", failures: 0, paused_reason: null });
    const { numInsertedOrUpdatedRows } = await created.onConflict((c) => c.doNothing()).executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw refusal("exists");
  }

  /** Pauses, resumes, fires or removes a schedule. Returns the fire that was started. Throws a `ScheduleRefusal`. */
  async change(name: string, change: ScheduleChange, by: Changer): Promise<{ schedule?: Schedule; fire?: Fire }> {
    const started = await this.#attempt({ name, act: change, by }, () =>
      retryBriefly(() => this.#database.transaction((tx) => this.#change(tx, { name, change, by }))),
    );
    this.starting.report(name, started);
    if (change === "pause") this.#emit("schedule_paused", { schedule: name, because: because.byHand });
    const schedule = change === "remove" ? undefined : await this.find(name);
    return { schedule, fire: started.length > 0 ? schedule?.last_fire : undefined };
  }

  async #change(
    tx: Tx,
    { name, change, by }: { readonly name: string; readonly change: ScheduleChange; readonly by: Changer },
  ) {
    const row = await this.#lock(tx, name);
    const settings = row && openSettings(this.#codec, row);
    if (row === undefined || settings === undefined || !isOf(by, row)) throw refusal("not_found");
    if (change === "remove" && row.source === "file" && by.source !== "file") throw refusal("of_file");
    await this.#append(tx, [by.act({ action: `schedule.${change}`, target: target(name) })]);
    const { at } = await tx.selectNoFrom(now(this.#database.engine).as("at")).executeTakeFirstOrThrow();
    const changed = { changed_at: at, changed_by: by.name };
    if (change === "fire") {
      const fires = await this.starting.start(tx, { name, settings, now: at }, { scheduledAt: at });
      if (fires.every(({ reason }) => reason === because.cap)) throw refusal("cap");
      return fires;
    }
    if (change === "remove") {
      await this.starting.skipWaiting(tx, name, because.removed);
      await tx.deleteFrom("schedule").where("name", "=", name).execute();
    } else if (change === "pause")
      await ofName(tx, name)
        .set({ ...pausedColumns(because.byHand), ...changed })
        .execute();
    else if (row.state === "paused") {
      const next = columnsOfNext(timesOf(settings, row.anchor_at).next(at), jitterOf(name, settings));
      await ofName(tx, name)
        .set({ state: "active", paused_reason: null, failures: 0, ...next, ...changed })
        .execute();
    }
    return [];
  }

  /**
   * Stores what a caller of the zone link did with a fire, as `Fires.take` does. If its owner left, every schedule of the owner pauses with it.
   */
  async take(taken: TakeFireParams, by: string): Promise<FireState> {
    const { state, team, user_id } = await this.fires.take(taken, by);
    if (taken.outcome !== "owner_left" || state !== "skipped") return state;
    const details = { because: because.ownerLeft, caller: by };
    const paused = await retryBriefly(() =>
      this.#database.transaction(async (tx) => {
        const active = tx.updateTable("schedule").set(pausedColumns(because.ownerLeft)).where("state", "=", "active");
        const rows = await active.where("team", "=", team).where("user_id", "=", user_id).returning("name").execute();
        const acts = rows.map(({ name }) => pauseAct(name, details));
        if (acts.length > 0) await this.#append(tx, acts);
        return rows;
      }),
    );
    for (const { name } of paused) this.#emit("schedule_paused", { schedule: name, because: because.ownerLeft });
    return state;
  }

  /** Runs a change. What a person may not do is in the audit log; what the API rejects is recorded there by the API. */
  async #attempt<Result>({ name, act, by }: Attempt, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ScheduleRefusal && by.source === "slack") {
        const rejected = by.act({ action: `schedule.${act}`, target: target(name), details: { problem: error.kind } });
        await this.#append(this.#database.db, [{ ...rejected, outcome: "rejected" }]);
      }
      throw error;
    }
  }

  /** Returns a schedule whose row is locked until the commit. */
  async #lock(tx: Tx, name: string): Promise<ScheduleTable | undefined> {
    const found = tx.selectFrom("schedule").selectAll().where("name", "=", columnText(name));
    return found.modifyEnd(forUpdate(this.#database.engine)).executeTakeFirst();
  }

  #matching({ user_id, team_id, state, after }: ScheduleFilter) {
    let found = this.#database.db.selectFrom("schedule");
    if (user_id !== undefined) found = found.where("user_id", "=", columnText(user_id));
    if (team_id !== undefined) found = found.where("team", "=", teamKey(team_id));
    if (state !== undefined) found = found.where("state", "=", state);
    return after === undefined ? found : found.where("name", ">", columnText(after));
  }

  /** Omits schedules whose key is missing. */
  async #schedulesOf(rows: readonly ScheduleTable[]): Promise<Schedule[]> {
    const standing = await this.fires.standingOf(
      "schedule",
      rows.map(({ name }) => name),
    );
    return rows.flatMap((row) => {
      const { name, state, source, paused_reason, next_at, anchor_at, failures, changed_at, changed_by } = row;
      const settings = opened(() => openSettings(this.#codec, row));
      if (settings === undefined) return [];
      return {
        name,
        settings,
        state,
        source,
        paused_reason: paused_reason ?? undefined,
        next_at: next_at === null ? [] : nextTimes(timesOf(settings, anchor_at), next_at),
        ...standing(name),
        failures,
        changed_at: isoTime(changed_at),
        changed_by,
      };
    });
  }
}

function nextTimes({ next }: Times, first: number): string[] {
  const second = next(first);
  return [first, second, next(second)].filter(Number.isFinite).map(isoTime);
}

/** Whether a changer may change a schedule. */
const isOf = ({ owner }: Changer, { team, user_id }: ScheduleTable): boolean =>
  owner === undefined || (team === teamKey(owner.team_id) && user_id === columnText(owner.user_id));

const target = (name: string) => ({ type: "schedule", id: name });

/** What of the settings is in the audit log forever: nothing that a person wrote. */
function detailsOf({ cron, zone, every_ms, agent, owner: { user_id: owner } }: ScheduleSettings) {
  return { cron, zone, every_ms, agent, owner };
}
