import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import type { Cap, FireState, ScheduleSettings } from "@crosszone/contracts";
import { oneOf, say, wholeNumber } from "../harness/command-line.ts";
import { createRandom } from "../harness/random.ts";
import { plantBug, plants } from "./faults/plants.ts";

/** Simulates schedules for 30 days on one database: two executors with their own faults, a clock that jumps, and clock changes of 8 zones. */

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const days = 30;
const zones =
  "Europe/Berlin America/New_York Australia/Lord_Howe America/Santiago Asia/Kolkata UTC Africa/Cairo Pacific/Auckland".split(
    " ",
  );

/** The database's clock. */
let clock = 0;
// oxlint-disable-next-line typescript/unbound-method -- called with the database as `this` below
const { prepare } = DatabaseSync.prototype;
const clocked = new WeakSet<DatabaseSync>();
DatabaseSync.prototype.prepare = function withClock(this: DatabaseSync, ...given: Parameters<typeof prepare>) {
  if (!clocked.has(this)) this.function("unixepoch", { varargs: true }, () => clock / 1_000);
  clocked.add(this);
  return prepare.apply(this, given);
};

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    plant: { type: "string" },
    schedules: { type: "string", default: "200" },
  },
});
if (values.plant !== undefined) plantBug(oneOf("--plant", plants, values.plant));

const random = createRandom(wholeNumber("--seed", values.seed));

const { createAppendAudit } = await import("@crosszone/audit");
const { createScheduleTimer, jitterOf, openExecutionDatabase, personChanger, Schedules, timesOf } =
  await import("@crosszone/execution");
const { createRecordCodec } = await import("@crosszone/service-kit");

/** Twice a month, so that each half has a clock change: in October and November, and in March and April. */
const starts = [Date.parse("2026-10-18T00:00:00Z"), Date.parse("2027-03-10T00:00:00Z")];
const crons =
  "30 1 * * *; 30 2 * * *; 15 2 * * *; 0 9 * * 1-5; 0 0 * * *; 45 1,13 * * *; */20 2 * * *; 0 6 1 * *; 0 23 * * 0".split(
    "; ",
  );

function settingsOf(index: number): ScheduleSettings {
  const cap: Cap = index % 5 === 0 ? { fires: 2 } : { fires: 500 };
  const when =
    index % 40 === 0
      ? { cron: "*/30 * * * *" }
      : index % 25 === 1
        ? { every_ms: 2 * hourMs + 7 * minuteMs }
        : { cron: random.pick(crons) };
  return {
    ...when,
    ...("cron" in when && { zone: random.pick(zones) }),
    owner: { team_id: "T1", user_id: `U${Math.floor(index / 50)}` },
    agent: "echo",
    text: "Hello",
    overlap: random.pick(["skip", "queue", "cancel"]),
    missed: (["skip", "once", "all"] as const)[index % 3],
    missed_most: 100,
    jitter_ms: index % 4 === 0 ? 0 : 30_000,
    pause_after: 100,
    cap,
  };
}

const complaints: string[] = [];
const counts = { fires: 0, skipped: 0, kills: 0, jumps: 0, outages: 0 };

async function simulate(start: number): Promise<void> {
  clock = start;
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  const emit = (): void => undefined;
  const killed = new Error("killed");
  /** A process dies before its commit, or after it. */
  const transaction: typeof database.transaction = async (run) => {
    const fate = isKilling ? random.int(100) : 100;
    if (fate > 5) return database.transaction(run);
    counts.kills += 1;
    await database.transaction(async (tx) => {
      await run(tx);
      if (fate < 3) throw killed;
    });
    throw killed;
  };
  let isKilling = false;
  const executors = [0, 1].map(() => {
    const schedules = new Schedules({ ...database, transaction }, { append, emit, retentionMs: 1_000 * dayMs });
    return { schedules, timer: createScheduleTimer({ fires: schedules.starting, cancelTask: async () => true, emit }) };
  });
  const { schedules } = executors[0] as (typeof executors)[0];
  const planned = new Map<string, ScheduleSettings>();
  for (let index = 0; index < Number(values.schedules); index += 1) {
    const settings = settingsOf(index);
    planned.set(`s-${index}`, settings);
    await schedules.save({ name: `s-${index}`, settings }, personChanger(settings.owner));
  }
  /** Times without any process, and by how much the clock was ahead of the last time when one looked again. */
  const gaps: (readonly [from: number, to: number])[] = [];
  let lastLook = clock;
  let nextTrouble = start + random.int(dayMs);
  const over = start + days * dayMs;
  let furthest = clock;
  while (clock < over) {
    isKilling = true;
    if (clock - lastLook > minuteMs) gaps.push([lastLook, clock]);
    await Promise.all(executors.map(({ timer }) => timer.look()));
    lastLook = Math.max(lastLook, clock);
    await endFires();
    furthest = Math.max(furthest, clock);
    const { names, nextInMs } = await schedules.starting.findDue(1);
    clock += names.length > 0 ? 1_000 : Math.max(1, Math.min(nextInMs, hourMs));
    if (clock < nextTrouble) continue;
    const trouble = random.pick(["jump", "back", "outage"] as const);
    if (trouble === "back") clock -= 10 * minuteMs;
    else clock += trouble === "jump" ? random.int(dayMs) : random.int(6 * hourMs);
    counts[trouble === "outage" ? "outages" : "jumps"] += 1;
    nextTrouble = clock + 1.5 * dayMs + random.int(3 * dayMs);
  }
  for (const one of planned) await judge(database, one, { start, furthest, gaps });
  await database.close();

  /** Verification takes each fire, and its question ends, some later than others. */
  async function endFires(): Promise<void> {
    if (random.chance(0.2)) return;
    const end = { state: "ended", ended_at: clock, success: 1, outcome: "answered" } as const;
    await database.db.updateTable("fire").set(end).where("state", "in", ["due", "running"]).execute();
  }
}

/** Complains about times that were missed or started twice, and about caps that were passed. */
async function judge(
  { db }: Awaited<ReturnType<typeof openExecutionDatabase>>,
  [name, settings]: readonly [string, ScheduleSettings],
  of: { start: number; furthest: number; gaps: readonly (readonly [number, number])[] },
): Promise<void> {
  const rows = await db.selectFrom("fire").selectAll().where("name", "=", name).execute();
  const started = rows.filter((row) => row.state !== ("skipped" satisfies FireState));
  counts.fires += started.length;
  counts.skipped += rows.length - started.length;
  const times = rows.map(({ scheduled_at }) => scheduled_at);
  if (new Set(times).size < times.length) complaints.push(`${name}: a time started twice`);
  const perDay = Map.groupBy(started, ({ created_at }) => Math.floor(created_at / dayMs));
  for (const [, some] of perDay)
    if (some.length > (settings.cap.fires ?? Infinity))
      complaints.push(`${name}: ${some.length} fires in a day, above its cap`);
  const stored = db.selectFrom("schedule").selectAll().where("name", "=", name);
  const { anchor_at, next_at } = await stored.executeTakeFirstOrThrow();
  const { next } = timesOf(settings, anchor_at);
  const jitter = jitterOf(name, settings);
  const seen = new Set(times);
  const isInGap = (at: number): boolean =>
    of.gaps.some(([from, to]) => at + jitter > from - minuteMs && at + jitter <= to);
  const isFull = (at: number): boolean => {
    const day = Math.floor((at + jitter) / dayMs);
    return [day, day + 1].some((one) => (perDay.get(one)?.length ?? 0) >= (settings.cap.fires ?? Infinity));
  };
  for (let at = next(of.start); at + jitter <= of.furthest && at < (next_at ?? Infinity); at = next(at)) {
    const mayLack = isFull(at) || (settings.missed !== "all" && isInGap(at));
    if (!seen.has(at) && !mayLack)
      complaints.push(`${name}: ${new Date(at).toISOString()} was missed (${settings.missed})`);
  }
  for (const at of times)
    if (next(at - 1) !== at) complaints.push(`${name}: ${new Date(at).toISOString()} is none of its times`);
  const late = started.filter((row) => row.created_at - row.scheduled_at - jitter > minuteMs);
  if (settings.missed === "once" && !late.every((row) => isInGap(row.scheduled_at)))
    complaints.push(`${name}: a fire was late without a gap`);
}

for (const start of starts) await simulate(start);
say(`sim schedules: seed ${values.seed} · ${complaints.length} complaints\n`);
const counted = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
say(`  ${counted.join(", ")}\n`);
for (const complaint of complaints.slice(0, 10)) say(`  ${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
