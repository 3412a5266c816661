import { inputKind } from "@crosszone/agent-calls";
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
import { type Emit, createRecordCodec, type Vault } from "@crosszone/service-kit";
import type { Times } from "@crosszone/service-kit/cron";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, forUpdate, now, retryBriefly, storedBytes, withinPageBytes } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql, type Transaction } from "kysely";
import type { InputOwner } from "../people/run-inputs.ts";
import type { ExecutionTables, ScheduleTable } from "../store/tables.ts";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";
import { type Changer, refusal, ScheduleRefusal } from "./changer.ts";
import { askOwner, consentColumns, type ConsentJobs, createConsents, dropConsent, isWaiting } from "./consents.ts";
import { Fires } from "./fire-store.ts";
import { activeColumns, because, pauseAct, pausedColumns, ScheduleFires, setSchedule } from "./schedule-fires.ts";
import {
  haveSameTimes,
  isAllowed,
  problemsOfSettings,
  openSettings,
  scheduleContext,
  timesOf,
} from "./schedule-settings.ts";
import { countPaused, readableOf, reasonOf, unaskedOf, warningsFor, whyNoAgents } from "./standing.ts";

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
  /** What owners are asked, and what follows from their answers. */
  readonly consents: InputOwner;
  readonly #database: ExecutionDatabase;
  readonly #append: AppendAudit;
  readonly #emit: Emit<ExecutionEvent>;
  readonly #codec: ReturnType<typeof createRecordCodec>;
  readonly #jobs: ConsentJobs | undefined;
  readonly #hasModel: boolean | undefined;

  constructor(
    database: ExecutionDatabase,
    options: {
      readonly append: AppendAudit;
      readonly emit: Emit<ExecutionEvent>;
      readonly vault?: Vault | undefined;
      /** How long an ended fire is kept, milliseconds. */
      readonly retentionMs: number;
      /** Absent: no owner is asked. */
      readonly jobs?: ConsentJobs;
      /** Whether a language model is connected; undefined if this process can't know. */
      readonly hasModel?: boolean | undefined;
    },
  ) {
    const { append, emit, vault } = options;
    this.#jobs = options.jobs;
    this.#hasModel = options.hasModel;
    this.#database = database;
    this.#append = append;
    this.#emit = emit;
    this.#codec = createRecordCodec(vault);
    this.fires = new Fires(database, options);
    this.consents = createConsents(database, { append, emit, codec: this.#codec });
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

  /** Returns how many are paused, by the word of the reason. */
  paused() {
    return countPaused(this.#database);
  }

  /** Returns which of these names no agent and no workflow has, with why. */
  readonly whyNoAgents = (names: readonly string[]) => whyNoAgents(this.#database, names, this.#hasModel);

  /** Returns the names of the schedules of a source. */
  async namesOf(source: ScheduleSource): Promise<readonly string[]> {
    const found = this.#database.db.selectFrom("schedule").select("name").where("source", "=", source);
    return (await retryBriefly(() => found.execute())).map(({ name }) => name);
  }

  /** Creates a schedule, or changes it if `replaces`. Throws a `ScheduleRefusal`. */
  async save(saving: SavedSchedule, by: Changer): Promise<Schedule> {
    await this.#attempt({ name: saving.name, act: "save", by }, () => this.#save(saving, by));
    this.#jobs?.lookFor(inputKind);
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
        const team = teamKey(settings.owner.team_id);
        const { next_at, due_at, ...isActive } = activeColumns({ name, settings, anchor_at: anchor }, at);
        const keeps = known?.state === "active" && before !== undefined && haveSameTimes(before, settings);
        const active = keeps ? isActive : { ...isActive, next_at, due_at };
        const row = {
          team,
          user_id: columnText(settings.owner.user_id),
          anchor_at: anchor,
          changed_at: at,
          changed_by: by.name,
          record: this.#codec.toColumn(settings, scheduleContext(name)),
          ...(await consentColumns(tx, { settings, team, by, known, before, active }, this.#jobs)),
        };
        if (known?.team !== row.team || known.user_id !== row.user_id) await this.#checkRoom(tx, row);
        if (known !== undefined) await setSchedule(tx, name, row);
        else await this.#create(tx, { ...isActive, next_at, due_at, name, source: by.source, failures: 0, ...row });
        const action = known === undefined ? "schedule.create" : "schedule.change";
        await this.#append(tx, [by.act({ action, target: target(name), details: detailsOf(settings) })]);
      }),
    );
  }

  /** Throws a refusal if an owner has no room for another schedule. Until the commit, no other process gives the owner one. */
  async #checkRoom(tx: Tx, { team, user_id }: Pick<ScheduleTable, "team" | "user_id">): Promise<void> {
    const owner = `schedules of ${team} ${user_id}`;
    // A statement of its own, so that the count sees what was committed before. SQLite locks the whole database.
    if (this.#database.engine === "postgres")
      await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(tx);
    const ofOwner = tx.selectFrom("schedule").where("team", "=", team).where("user_id", "=", user_id);
    const { count } = await ofOwner.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    const message = `has ${mostOfOwner} schedules: remove one first`;
    if (count >= mostOfOwner) throw new ScheduleRefusal("not_valid", { pointer: "/owner", message });
  }

  async #create(tx: Tx, row: ScheduleTable): Promise<void> {
    const created = tx.insertInto("schedule").values(row);
    const { numInsertedOrUpdatedRows } = await created.onConflict((c) => c.doNothing()).executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw refusal("exists");
  }

  /** Pauses, resumes, fires or removes a schedule. Returns the fire that was started. Throws a `ScheduleRefusal`. */
  async change(name: string, change: ScheduleChange, by: Changer): Promise<{ schedule?: Schedule; fire?: Fire }> {
    const started = await this.#attempt({ name, act: change, by }, () =>
      retryBriefly(() => this.#database.transaction((tx) => this.#change(tx, { name, change, by }))),
    );
    this.starting.report(name, started);
    this.#jobs?.lookFor(inputKind);
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
    const isOwner = by.owner !== undefined;
    const needsOwner = !isAllowed(row, settings) || (!isOwner && row.paused_reason === because.byOwner);
    if (change === "fire") {
      if (needsOwner) throw refusal("not_allowed");
      const fires = await this.starting.start(tx, { ...row, settings, now: at }, { scheduledAt: at });
      if (fires.every(({ reason }) => reason === because.cap)) throw refusal("cap");
      return fires;
    }
    if (change === "resume" && (row.state === "active" || (needsOwner && isWaiting(row)))) return [];
    // What an owner has paused stays so for everybody else.
    if (change === "pause" && !isOwner && row.state === "paused" && row.consent_id === null) return [];
    await dropConsent(tx, row.consent_id, this.#jobs);
    if (change === "remove") {
      await this.starting.skipWaiting(tx, name, because.removed);
      await tx.deleteFrom("schedule").where("name", "=", name).execute();
    } else if (change === "pause") {
      if (isOwner) await this.starting.skipWaiting(tx, name, because.byOwner);
      const paused = pausedColumns(isOwner ? because.byOwner : because.byHand);
      await setSchedule(tx, name, { ...paused, ...changed, consent_id: null });
    } else if (needsOwner) {
      // What the owner has paused is not allowed any more.
      const allowed = row.paused_reason === because.byOwner ? "" : row.allowed;
      await setSchedule(tx, name, { ...(await askOwner(tx, row.team, this.#jobs)), ...changed, allowed });
    } else await setSchedule(tx, name, { ...activeColumns({ ...row, settings }, at), ...changed, failures: 0 });
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
        const ofOwner = tx.selectFrom("schedule").where("team", "=", team).where("user_id", "=", user_id);
        // What is over the limit pauses with its own fire.
        const active = ofOwner.select("name").where("state", "=", "active").orderBy("name").limit(mostOfOwner);
        const left = tx.updateTable("schedule").set(pausedColumns(because.ownerLeft)).where("name", "in", active);
        const rows = await left.returning("name").execute();
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
    const unasked = await unaskedOf(this.#database, rows);
    const readable = readableOf(this.#codec, rows);
    const warningsOf = await warningsFor(this.#database, readable, { unasked, hasModel: this.#hasModel });
    return readable.map((one) => {
      const { row, settings } = one;
      const { name, state, source, next_at, anchor_at, failures, changed_at, changed_by, written_by } = row;
      const warnings = warningsOf(one);
      return {
        name,
        settings,
        state,
        source,
        paused_reason: reasonOf(row, unasked),
        warnings: warnings.length > 0 ? warnings : undefined,
        request_id: row.consent_id ?? undefined,
        written_by: written_by ?? undefined,
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
