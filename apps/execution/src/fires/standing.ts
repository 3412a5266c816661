import { howToConnect } from "@crosszone/assistant";
import type { ScheduleSettings } from "@crosszone/contracts";
import { opened, type RecordCodec } from "@crosszone/service-kit";
import { isoTime, nearName } from "@crosszone/service-kit/text";
import { now, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import type { ScheduleTable } from "../store/tables.ts";
import type { ExecutionDatabase } from "../store/open-execution-database.ts";
import { dayOf } from "../usage/budget.ts";
import { isWaiting } from "./consents.ts";
import { because } from "./schedule-fires.ts";
import { openSettings } from "./schedule-settings.ts";

/**
 * Returns why the agents of schedules and hooks can't be asked, as the rest of a sentence, by those of these names. `hasModel`: false if no language
 * model is connected.
 */
export async function whyNoAgents({ db }: ExecutionDatabase, names: readonly string[], hasModel?: boolean) {
  const own = hasModel === false ? ["builtin"] : [assistant, "builtin"];
  const asked = new Set(names).difference(new Set(own));
  if (asked.size === 0) return new Map<string, string>();
  const agents = db.selectFrom("agent").select(["name", "enabled"]);
  const workflows = db.selectFrom("workflow").select("workflow_id as name").distinct();
  const [known, runnable] = await retryBriefly(() => Promise.all([agents.execute(), workflows.execute()]));
  const isOn = new Map(known.map(({ name, enabled }) => [name, enabled === 1]));
  for (const name of [...own, ...runnable.map((one) => one.name)]) isOn.set(name, true);
  const wrong = [...asked].filter((name) => isOn.get(name) !== true);
  const why = (name: string): string => {
    if (isOn.has(name)) return "is off: enable it";
    if (name === assistant) return `has no language model: ${howToConnect}`;
    const near = nearName(name, isOn.keys());
    return `is no agent or workflow${near === undefined ? "" : `: did you mean ${near}?`}`;
  };
  return new Map(wrong.map((name) => [name, why(name)]));
}

const assistant = "assistant";

/** Time within which a running verification zone asks an owner, milliseconds. */
const askedWithinMs = 60_000;

/** Returns those of the requests for which schedules wait that no verification zone shows. */
export async function unaskedOf(
  { db }: ExecutionDatabase,
  rows: readonly ScheduleTable[],
): Promise<ReadonlySet<string>> {
  const ids = rows.filter(isWaiting).flatMap(({ consent_id }) => consent_id ?? []);
  if (ids.length === 0) return new Set();
  const shown = db.selectFrom("input_request").select("request_id").where("shown_by", "is not", null);
  const asked = await retryBriefly(() => shown.where("request_id", "in", ids).execute());
  return new Set(ids).difference(new Set(asked.map(({ request_id }) => request_id)));
}

/** Returns why a schedule does not fire; undefined if it does. */
export function reasonOf(row: ScheduleTable, unasked: ReadonlySet<string>): string | undefined {
  const { user_id, paused_reason, consent_id } = row;
  if (!isWaiting(row)) return paused_reason ?? undefined;
  const isAsked = !unasked.has(consent_id ?? "");
  return `Waits for ${user_id} to allow it in Slack${isAsked ? "" : ", whom no verification zone has asked yet"}.`;
}

/** Whether a schedule waits for somebody whom no verification zone will ask. */
const isLost = ({ changed_at, consent_id }: ScheduleTable, unasked: ReadonlySet<string>): boolean =>
  unasked.has(consent_id ?? "") && changed_at < Date.now() - askedWithinMs;

type Standing = Readonly<Record<"row", ScheduleTable> & Record<"settings", ScheduleSettings>>;

/** Returns rows with their settings, without those whose key is missing. */
export const readableOf = (codec: RecordCodec, rows: readonly ScheduleTable[]): Standing[] =>
  rows.flatMap((row) => {
    const settings = opened(() => openSettings(codec, row));
    return settings === undefined ? [] : { row, settings };
  });

/** Returns a function that returns what keeps a schedule from starting anything until somebody corrects it. */
export async function warningsFor(
  database: ExecutionDatabase,
  all: readonly Standing[],
  { unasked, hasModel }: { readonly unasked: ReadonlySet<string>; readonly hasModel: boolean | undefined },
) {
  const agents = all.map(({ settings }) => settings.agent);
  const wrong = await whyNoAgents(database, agents, hasModel);
  return ({ row, settings: { agent, owner } }: Standing): string[] => {
    const why = wrong.get(agent);
    const lost = `No verification zone asks in the workspace ${owner.team_id}: install the app there, or correct the owner.`;
    return [...(why === undefined ? [] : [`${agent} ${why}`]), ...(isLost(row, unasked) ? [lost] : [])];
  };
}

/** Maximum number of schedules of each list for operators, and of those that are looked through. */
const [mostNamed, mostLooked] = [10, 1_000];

/**
 * Returns what an operator should know: how long the oldest fire waits, today's costliest schedule, and, each with the reason, which can't work or
 * paused by themselves, which wait for their owners, and which their owners declined or did not answer.
 */
export async function readSchedules(database: ExecutionDatabase, codec: RecordCodec, hasModel?: boolean) {
  const { db, engine } = database;
  const counted = sql<{ active: number; next_at: number | null; waited: number | null; at: number }>`select
    (select count(*) from schedule where state = 'active') as active,
    (select min(due_at) from schedule) as next_at,
    (select ${now(engine)} - min(due_at) from fire where state = 'due') as waited,
    ${now(engine)} as at`;
  const { rows } = await counted.execute(db);
  const { active = 0, next_at = null, waited = null, at = 0 } = rows[0] ?? {};
  const all = db.selectFrom("schedule").selectAll().orderBy("name");
  const some = all.limit(mostNamed);
  const costs = db.selectFrom("budget_use").select(["subject as name", "used"]).where("scope", "=", "schedule");
  const spent = costs.where("unit", "=", "usd").where("period", "=", dayOf(at)).where("used", ">", 0);
  const [stopped, declined, looked, costliest] = await Promise.all([
    some.where("paused_reason", "in", [because.ownerLeft, because.failures]).execute(),
    some.where("consent_id", "is not", null).where("paused_reason", "is not", null).execute(),
    all.where("paused_reason", "is", null).limit(mostLooked).execute(),
    spent.orderBy("used", "desc").executeTakeFirst(),
  ]);
  const unasked = await unaskedOf(database, looked);
  const readable = readableOf(codec, looked);
  const warningsOf = await warningsFor(database, readable, { unasked, hasModel });
  const broken = readable.flatMap((one) => {
    const warnings = warningsOf(one);
    return warnings.length === 0 ? [] : `${one.row.name}: ${warnings.join("; ")}`;
  });
  const described = (row: ScheduleTable): string => `${row.name}: ${reasonOf(row, unasked)}`;
  return {
    active,
    nextAt: next_at === null ? undefined : isoTime(next_at),
    oldestDueMs: waited ?? 0,
    /** What can't work until somebody corrects it. */
    broken: broken.slice(0, mostNamed),
    stopped: stopped.map(described),
    waiting: looked
      .filter((row) => isWaiting(row) && !isLost(row, unasked))
      .slice(0, mostNamed)
      .map(described),
    declined: declined.map(described),
    // Dollars are stored in millionths.
    costliest: costliest && { name: costliest.name, usd: costliest.used / 1_000_000 },
  };
}

/** Returns how many schedules are paused, by the word of the reason. */
export async function countPaused({ db }: ExecutionDatabase) {
  const unallowed = sql<boolean | number>`consent_id is not null`;
  const paused = db.selectFrom("schedule").where("state", "=", "paused").groupBy(["paused_reason", unallowed]);
  const counted = paused.select(["paused_reason", unallowed.as("is_unallowed")]);
  const rows = await counted.select(({ fn }) => fn.countAll<number>().as("count")).execute();
  const counts = { failures: 0, owner_left: 0, unallowed: 0, by_hand: 0 };
  for (const { paused_reason: why, is_unallowed, count } of rows) {
    const byItself = why === because.failures ? "failures" : why === because.ownerLeft ? "owner_left" : "by_hand";
    counts[is_unallowed ? "unallowed" : byItself] += count;
  }
  return counts;
}
