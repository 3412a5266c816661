import { randomUUIDv7 } from "node:crypto";
import { type AppendAudit, zoneAct } from "@crosszone/audit";
import type { FireState, ScheduleSettings } from "@crosszone/contracts";
import { type Emit, isKeyMissing, type RecordCodec } from "@crosszone/service-kit";
import { latestTimes } from "@crosszone/service-kit/cron";
import { forUpdate, now, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql, type Transaction, type Updateable } from "kysely";
import type { ExecutionTables, FireTable, ScheduleTable } from "../store/tables.ts";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";
import { dayOf, takeFire } from "../usage/budget.ts";
import type { Beginning, Fires } from "./fire-store.ts";
import { isAllowed, jitterOf, openSettings, timesOf } from "./schedule-settings.ts";

type Tx = Transaction<ExecutionTables>;
type Overlap = NonNullable<ScheduleSettings["overlap"]>;

/** A schedule whose row is locked. */
interface StartingSchedule {
  readonly name: string;
  readonly settings: ScheduleSettings;
  /** Null for its owner. */
  readonly written_by: string | null;
  /** Unix milliseconds, by the database's clock. */
  readonly now: number;
}

/** A time at which a schedule starts. */
interface StartTime {
  /** Unix milliseconds. */
  readonly scheduledAt: number;
  /** Absent: it starts now, because a person wants it. */
  readonly occasion?: string;
  /** It was missed: it waits for the fires before, whatever the schedule's overlap. */
  readonly isLate?: boolean;
  /** It was missed, and is not made up for. */
  readonly isMissed?: boolean;
}

/** What is logged of a fire after its commit. */
interface StartedFire extends Beginning {
  readonly fire_id: string;
}

const dayMs = 86_400_000;

/** Why fires are skipped or end, and schedules pause. */
export const because = {
  overlap: "The fire before has not ended.",
  cap: "Its cap for the day is used up.",
  missed: "It was due while no process ran.",
  replaced: "A newer fire replaced it.",
  untaken: "Verification did not take it within a day.",
  unreported: "Verification did not report what became of it.",
  failures: "Its last fires failed.",
  ownerLeft: "Its owner left.",
  byHand: "A person paused it.",
  byOwner: "Its owner paused it.",
  declined: "Its owner declined it.",
  unanswered: "Its owner did not answer in time.",
  notAllowed: "Its owner has not allowed it.",
  removed: "The schedule was removed.",
};

/** How late a fire may be before it counts as missed, milliseconds. */
const lateMs = 60_000;

const usualMost = 10;
const usualFailures = 5;

interface Deps {
  readonly fires: Fires;
  /** Appends to the audit log. */
  readonly append: AppendAudit;
  readonly emit: Emit<ExecutionEvent>;
  /** Opens the settings of schedules. */
  readonly codec: RecordCodec;
}

/** Starts the fires of schedules, and does what follows from their ends. Every method can run in several processes at once. */
export class ScheduleFires {
  readonly #database: ExecutionDatabase;
  readonly #deps: Deps;

  constructor(database: ExecutionDatabase, deps: Deps) {
    this.#database = database;
    this.#deps = deps;
  }

  /** Returns the schedules that are due, longest first, and the time until the next is, milliseconds. */
  async findDue(most: number): Promise<{ readonly names: readonly string[]; readonly nextInMs: number }> {
    const { db, engine } = this.#database;
    const first = db.selectFrom("schedule").where("due_at", "is not", null).orderBy("due_at").limit(most);
    const rows = await first.select(["name", "due_at", now(engine).as("now")]).execute();
    const inMs = rows.map((row) => (row.due_at ?? Infinity) - row.now);
    return {
      names: rows.flatMap(({ name }, at) => ((inMs[at] ?? 0) <= 0 ? name : [])),
      nextInMs: inMs.find((ms) => ms > 0) ?? Infinity,
    };
  }

  /**
   * Starts what is due of a schedule, and sets its next time, in one transaction. The row is the timer: a process that comes later finds the
   * next time in it.
   */
  async fireDue(name: string): Promise<void> {
    const { engine, transaction } = this.#database;
    const started = await retryBriefly(() =>
      transaction(async (tx) => {
        const found = tx.selectFrom("schedule").selectAll().select(now(engine).as("now")).where("name", "=", name);
        const row = await found.modifyEnd(forUpdate(engine)).executeTakeFirst();
        if (row === undefined || row.next_at === null || row.due_at === null || row.due_at > row.now) return [];
        const settings = openSettings(this.#deps.codec, row);
        if (settings === undefined) {
          await setSchedule(tx, name, { due_at: row.now + lateMs });
          return [];
        }
        // An older build has changed it.
        if (!isAllowed(row, settings)) {
          await setSchedule(tx, name, pausedColumns(because.notAllowed));
          return [];
        }
        const [times, jitter] = [timesOf(settings, row.anchor_at), jitterOf(name, settings)];
        const until = row.now - jitter;
        await setSchedule(tx, name, columnsOfNext(times.next(until), jitter));
        const due = latestTimes(times, { from: row.next_at, until, most: mostOf(settings) });
        const starts: StartedFire[] = [];
        // The rules of a zone may have changed since the time was stored.
        for (const time of startsOf(settings, due.length === 0 ? [row.next_at] : due, until))
          starts.push(...(await this.start(tx, { ...row, settings }, time)));
        return starts;
      }),
    );
    this.report(name, started);
  }

  /** Starts a schedule within a transaction that has locked its row. Returns the fire; none when its time has one, or was told before. */
  async start(
    tx: Tx,
    { name, settings, written_by, now: at }: StartingSchedule,
    time: StartTime,
  ): Promise<StartedFire[]> {
    const { title, owner, agent, input, text = JSON.stringify(input), channel, thread_ts, cap } = settings;
    const fire_id = randomUUIDv7();
    const { scheduledAt, occasion = fire_id, isLate, isMissed } = time;
    const known = firesOf(tx, name).select("fire_id").where("occasion", "=", occasion);
    if ((await known.executeTakeFirst()) !== undefined) return [];
    const question = { title, owner, agent, text, channel, thread_ts, cap, written_by: written_by ?? undefined };
    const fire = { ...question, fire_id, source: "schedule", name, scheduledAt, occasion } as const;
    const open = await openFires(tx, name).select("state").execute();
    const wanted = isMissed ? skip(because.missed) : beginning(open, isLate ? "wait" : settings.overlap);
    const hasRoom = wanted.state === "skipped" || (await takeFire(tx, fire, at));
    const begun = hasRoom ? wanted : skip(because.cap);
    if (begun.state === "due" && open.length > 0) await this.#replace(tx, name);
    // Of the fires that a cap skips in a day, the first is stored.
    const stored = hasRoom ? fire : { ...fire, occasion: `cap ${dayOf(at)}` };
    const isNew = (await this.#deps.fires.insert(tx, stored, begun)) !== undefined;
    return isNew ? [{ fire_id, ...begun }] : [];
  }

  /** Logs started fires after their commit, and wakes the callers that wait for them. */
  report(schedule: string, started: readonly StartedFire[]): void {
    const { emit, fires } = this.#deps;
    for (const { fire_id, state, reason } of started)
      if (state === "skipped") emit("schedule_skipped", { schedule, fire_id, because: reason ?? "" });
      else emit("schedule_fired", { schedule, fire_id, state });
    if (started.length > 0) fires.tell();
  }

  /** Ends the fires before a new one: skips those that wait, cancels those that run. */
  async #replace(tx: Tx, name: string): Promise<void> {
    await this.skipWaiting(tx, name, because.replaced);
    const canceled = { canceling: 1, reason: because.replaced };
    await ofSchedule(tx, name).set(canceled).where("state", "=", "running").where("canceling", "=", 0).execute();
  }

  /** Ends the fires of a schedule that verification does not have. */
  async skipWaiting(tx: Tx, name: string, reason: string): Promise<void> {
    const skipped = { state: "skipped", ended_at: now(this.#database.engine), settled: 1, reason } as const;
    await ofSchedule(tx, name).set(skipped).where("state", "in", ["due", "queued"]).execute();
  }

  /** Counts ended fires in their schedules, pauses those that failed too often, and starts what waited for them. */
  async settle(): Promise<void> {
    const { db } = this.#database;
    const ended = db.selectFrom("fire").selectAll().where("settled", "=", 0);
    for (const fire of await ended.where("ended_at", "is not", null).orderBy("ended_at").limit(100).execute())
      await retryBriefly(() => this.#settle(fire)).catch((cause: unknown) => {
        if (!isKeyMissing(cause)) throw cause;
      });
  }

  async #settle({ fire_id, name, success }: FireTable): Promise<void> {
    const { engine, transaction } = this.#database;
    const { codec, emit, append, fires } = this.#deps;
    const isPaused = await transaction(async (tx) => {
      const settled = tx.updateTable("fire").set({ settled: 1 }).where("fire_id", "=", fire_id);
      if ((await settled.where("settled", "=", 0).executeTakeFirst()).numUpdatedRows === 0n) return false;
      const found = tx.selectFrom("schedule").selectAll().where("name", "=", name).modifyEnd(forUpdate(engine));
      const row = await found.executeTakeFirst();
      if (row === undefined) return false;
      const open = await openFires(tx, name).select(["fire_id", "state"]).orderBy("scheduled_at").execute();
      const [first] = open;
      if (first !== undefined && open.every(({ state }) => state === "queued")) {
        const due = { state: "due", due_at: now(engine) } as const;
        await tx.updateTable("fire").set(due).where("fire_id", "=", first.fire_id).execute();
      }
      if (success === null) return false;
      const failures = success === 1 ? 0 : row.failures + 1;
      const { pause_after: most = usualFailures } = openSettings(codec, row) ?? {};
      const pauses = failures >= most && row.state === "active";
      await setSchedule(tx, name, { failures, ...(pauses ? pausedColumns(because.failures) : {}) });
      if (pauses) await append(tx, [pauseAct(name, { failures })]);
      return pauses;
    });
    fires.tell();
    if (isPaused) emit("schedule_paused", { schedule: name, because: because.failures });
  }

  /** Ends fires that verification did not take, or of which it reported no end for a day: those whose tasks do not run. */
  async expire(): Promise<void> {
    const { db, engine } = this.#database;
    const aDayAgo = sql<number>`(select ${now(engine)} - ${sql.lit(dayMs)})`;
    const late = db.updateTable("fire").where("due_at", "<", aDayAgo);
    const end = { ended_at: now(engine), success: 0 };
    const untaken = late.set({ ...end, state: "skipped", reason: because.untaken });
    await untaken.where("state", "=", sql.lit("due")).execute();
    const task = sql`select 1 from job where job.id = fire.fire_id and coalesce(job.ended_at >= ${aDayAgo}, true)`;
    const unreported = late.set({ ...end, state: "ended", reason: because.unreported });
    await unreported
      .where("state", "=", "running")
      .where(sql<boolean>`not exists (${task})`)
      .execute();
  }

  /** Returns the fires whose tasks are to be canceled. */
  async replaced(): Promise<readonly string[]> {
    const marked = this.#database.db.selectFrom("fire").select("fire_id").where("ended_at", "is", null);
    return (await marked.where("canceling", "=", 1).execute()).map(({ fire_id }) => fire_id);
  }

  /** Notes that the task of a fire was canceled, or had ended. */
  async noteCanceled(fireId: string): Promise<void> {
    await this.#database.db.updateTable("fire").set({ canceling: 2 }).where("fire_id", "=", fireId).execute();
  }
}

/** Returns the columns of the next time; of none, when it never comes. */
const columnsOfNext = (next: number, jitter: number) =>
  next === Infinity ? { next_at: null, due_at: null } : { next_at: next, due_at: next + jitter };

/** Returns the columns of a schedule that fires from `at` on, Unix milliseconds. */
export function activeColumns(
  of: Pick<StartingSchedule & ScheduleTable, "name" | "settings" | "anchor_at">,
  at: number,
) {
  const { name, settings, anchor_at } = of;
  const next = columnsOfNext(timesOf(settings, anchor_at).next(at), jitterOf(name, settings));
  return { state: "active", paused_reason: null, consent_id: null, ...next } as const;
}

/** Returns the columns of a schedule that pauses. */
export const pausedColumns = (reason: string) =>
  ({ state: "paused", paused_reason: reason, next_at: null, due_at: null }) as const;

/** How many of the due times of a schedule matter. */
const mostOf = ({ missed = "once", missed_most = usualMost }: ScheduleSettings): number =>
  ({ once: 1, skip: 3, all: missed_most })[missed];

/** Returns what a schedule starts of its due times. `until`: those before this time by `lateMs` were missed. */
function startsOf({ missed = "once" }: ScheduleSettings, due: readonly number[], until: number): StartTime[] {
  const times = due.map((at) => ({ scheduledAt: at, occasion: String(at), isLate: at < until - lateMs }));
  if (missed === "once") return times.map((time) => ({ ...time, isLate: false }));
  // What follows a missed one waits for it.
  if (missed === "all") return times.map((time) => ({ ...time, isLate: times[0]?.isLate === true }));
  const lastMissed = times.findLast(({ isLate }) => isLate);
  return times.flatMap((time) => (!time.isLate ? time : time === lastMissed ? { ...time, isMissed: true } : []));
}

/** Returns how a fire begins, given those of its schedule that have not ended. */
function beginning(open: readonly { readonly state: FireState }[], overlap: Overlap | "wait" = "skip"): Beginning {
  if (open.length === 0 || overlap === "cancel") return { state: "due" };
  const isFull = overlap === "skip" || (overlap === "queue" && open.some(({ state }) => state === "queued"));
  return isFull ? skip(because.overlap) : { state: "queued" };
}

const skip = (reason: string): Beginning => ({ state: "skipped", reason });

/** Returns the event of a schedule that the zone pauses. */
export const pauseAct = (name: string, details: Parameters<typeof zoneAct>[1]["details"]) =>
  zoneAct("execution", { action: "schedule.pause", target: { type: "schedule", id: name }, details });

/** Changes columns of a schedule. */
export const setSchedule = (tx: Tx, name: string, columns: Updateable<ScheduleTable>) =>
  tx.updateTable("schedule").set(columns).where("name", "=", name).execute();

const ofSchedule = (tx: Tx, name: string) =>
  tx.updateTable("fire").where("source", "=", "schedule").where("name", "=", name);

const firesOf = (tx: Tx, name: string) =>
  tx.selectFrom("fire").where("source", "=", "schedule").where("name", "=", name);

/** The fires of a schedule that have not ended, but for those that a newer one cancels. */
const openFires = (tx: Tx, name: string) => firesOf(tx, name).where("ended_at", "is", null).where("canceling", "=", 0);
