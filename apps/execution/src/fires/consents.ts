import { hash, randomUUID } from "node:crypto";
import { inputKind } from "@crosszone/agent-calls";
import { type AppendAudit, zoneAct } from "@crosszone/audit";
import type { InputRequest, ScheduleSettings } from "@crosszone/contracts";
import type { Emit, RecordCodec } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { forUpdate, now, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql, type Transaction } from "kysely";
import { consentOrigin, type NewInput } from "../people/input-record.ts";
import type { InputOwner } from "../people/run-inputs.ts";
import type { ScheduleTable } from "../store/fire-tables.ts";
import type { ExecutionDatabase, ExecutionTables, ZoneJobs } from "../store/open-execution-database.ts";
import { dayOf } from "../usage/budget.ts";
import type { Changer } from "./changer.ts";
import { activeColumns, because, pauseAct, setSchedule } from "./schedule-fires.ts";
import { allowanceDigest, allowanceOf, openSettings } from "./schedule-settings.ts";

type Tx = Transaction<ExecutionTables>;

/** The jobs of a process that asks owners. */
export type ConsentJobs = Pick<ZoneJobs, "lookFor" | "store">;

/** The id of each request for consent begins with this. Nobody else chooses ids of requests. */
const prefix = "consent_";

/** Whether a job or an input request is an owner's consent. */
export const isConsent = (id: string): boolean => id.startsWith(prefix);

/** Time for the owner to answer, milliseconds. */
const expiresInMs = 7 * 86_400_000;

/** Whether a schedule waits for its owner's answer. */
export const isWaiting = ({ consent_id, paused_reason }: ScheduleTable): boolean =>
  consent_id !== null && paused_reason === null;

/** What is stored in the place of saved settings. */
type Known = Readonly<Record<"known", ScheduleTable | undefined> & Record<"before", ScheduleSettings | undefined>>;

/**
 * Returns the columns of who wrote saved settings, what their owner has allowed, and how the schedule stands: as `active` if they are allowed,
 * otherwise it waits, or stays paused.
 */
export async function consentColumns<Active extends object>(
  tx: Tx,
  saved: Known & {
    readonly settings: ScheduleSettings;
    readonly team: string;
    readonly by: Changer;
    readonly active: Active;
  },
  jobs: ConsentJobs | undefined,
) {
  const { settings, team, by, known, before, active } = saved;
  const digest = allowanceDigest(settings);
  const earlier = before === undefined ? "" : allowanceDigest(before);
  const ofOthers = known === undefined ? "" : (known.allowed ?? earlier);
  const byOthers = known !== undefined && earlier === digest ? known.written_by : by.name;
  // Verification vouches for the owner.
  const [allowed, written_by] = by.owner === undefined ? [ofOthers, byOthers] : [digest, null];
  const waits = allowed !== digest;
  const waitsOn = waits && known !== undefined && isWaiting(known) && earlier === digest;
  if (waitsOn || (known?.state === "paused" && known.consent_id === null)) return { allowed, written_by };
  await dropConsent(tx, known?.consent_id, jobs);
  return { allowed, written_by, ...(waits ? await askOwner(tx, team, jobs) : active) };
}

/** Asks the owner, by a job that stores the request. Returns the columns of a schedule that waits. */
export async function askOwner(tx: Tx, team: string, jobs: ConsentJobs | undefined) {
  const consent_id = `${prefix}${randomUUID()}`;
  const job = { id: consent_id, kind: inputKind, share: inputKind, as: "ready", team, record: "{}" } as const;
  if (jobs !== undefined) await tx.executeQuery(jobs.store.queries.add(job));
  return { state: "paused", paused_reason: null, next_at: null, due_at: null, consent_id } as const;
}

/** Lets the job of a consent find that the schedule no longer waits for it. */
export async function dropConsent(tx: Tx, id: string | null | undefined, jobs: ConsentJobs | undefined): Promise<void> {
  if (typeof id === "string") await jobs?.store.queries.wake([id]).execute(tx);
}

/** Returns the owner's part in the life of input requests: what is asked, and what an answer does. */
export function createConsents(
  { db, engine, transaction }: ExecutionDatabase,
  deps: { readonly codec: RecordCodec; readonly append: AppendAudit; readonly emit: Emit<ExecutionEvent> },
): InputOwner {
  const { codec, append, emit } = deps;
  const find = (tx: Tx | typeof db, id: string) => tx.selectFrom("schedule").selectAll().where("consent_id", "=", id);

  /** Stores what an answer does, once. Returns the name of a schedule that stays paused, and why. */
  const settle = ({ request_id, state, votes, action, closed_because }: InputRequest) =>
    transaction(async (tx) => {
      const row = await find(tx, request_id).modifyEnd(forUpdate(engine)).executeTakeFirst();
      const settings = row && openSettings(codec, row);
      if (row === undefined || settings === undefined || !isWaiting(row)) return undefined;
      const { name, anchor_at, written_by } = row;
      const details = { request_id, written_by, by: votes.at(-1)?.user_id ?? null };
      if (state === "approved" && canonicalJson(allowanceOf(settings)) === canonicalJson(action?.arguments)) {
        const { at } = await tx.selectNoFrom(now(engine).as("at")).executeTakeFirstOrThrow();
        const active = activeColumns({ name, settings, anchor_at }, at);
        await setSchedule(tx, name, { ...active, failures: 0, allowed: allowanceDigest(settings) });
        const target = { type: "schedule", id: name };
        await append(tx, [zoneAct("execution", { action: "schedule.allow", target, details })]);
        return undefined;
      }
      const unanswered = state === "expired" ? because.unanswered : (closed_because ?? because.declined);
      const paused_reason = votes.length > 0 ? because.declined : unanswered;
      await setSchedule(tx, name, { paused_reason });
      await append(tx, [pauseAct(name, details)]);
      return { schedule: name, because: paused_reason };
    });

  return {
    whyUnneeded: async ({ id }) => {
      const waits = await retryBriefly(() => find(db, id).executeTakeFirst());
      return waits === undefined ? "The schedule was changed, paused or removed." : undefined;
    },
    askedBy: async ({ id }) => {
      const row = await retryBriefly(() => find(db, id).executeTakeFirst());
      const settings = row && openSettings(codec, row);
      return settings && consentInput(id, { ...row, settings });
    },
    endOf: async ({ id }, request) => {
      if (!isConsent(id)) return undefined;
      const paused = await retryBriefly(() => settle(request));
      if (paused !== undefined) emit("schedule_paused", paused);
      return undefined;
    },
  };
}

/** Returns what the owner is asked. Its words are ours, except for the literal arguments. */
function consentInput(
  request_id: string,
  { name, written_by, changed_by, settings }: ScheduleTable & { readonly settings: ScheduleSettings },
): NewInput {
  const { owner, agent: tool, channel, cron, zone, every_ms = 0, cap } = settings;
  const agent = (written_by ?? changed_by).slice(0, 255).toWellFormed();
  const there = channel !== undefined && /^[A-Z0-9]+$/.test(channel) ? `in <#${channel}>` : "in another channel";
  const where = channel === undefined ? "in your direct messages with me" : there;
  const when = cron === undefined ? `every ${every_ms / 60_000} min` : `at \`${cron}\` (${zone})`;
  const caps = [
    cap.fires && `${cap.fires} ${cap.fires === 1 ? "time" : "times"}`,
    cap.tokens && `${cap.tokens} tokens`,
    cap.usd && `$${cap.usd}`,
  ];
  const most = caps.filter(Boolean).join(" and ");
  return {
    request_id,
    kind: "approve",
    title: `Allow the schedule ${name}?`,
    body: `If you allow it, I ask this as you, ${when}, ${where}, at most ${most} a UTC day. Your policy, your budgets and your approvals apply. \`/agents schedules\` stops it.`,
    action: { agent, tool, arguments: allowanceOf(settings) },
    decide: { people: [], groups: [], requester: true, approve: 1, deny: 1 },
    visibility: "private",
    agent,
    requester: owner.user_id,
    team_id: owner.team_id,
    origin: consentOrigin,
    caller: null,
    expiresInMs,
    executeWithinMs: expiresInMs,
    policy: hash("sha256", consentOrigin),
  };
}

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

/** Maximum number of schedules of each list for operators. */
const mostNamed = 10;

/**
 * Returns what an operator should know: how long the oldest fire waits, today's costliest schedule, and, each with the reason, which paused by
 * themselves, which wait for their owners, and which their owners declined or did not answer.
 */
export async function readSchedules(database: ExecutionDatabase) {
  const { db, engine } = database;
  const counted = sql<{ active: number; next_at: number | null; waited: number | null; at: number }>`select
    (select count(*) from schedule where state = 'active') as active,
    (select min(due_at) from schedule) as next_at,
    (select ${now(engine)} - min(due_at) from fire where state = 'due') as waited,
    ${now(engine)} as at`;
  const { rows } = await counted.execute(db);
  const { active = 0, next_at = null, waited = null, at = 0 } = rows[0] ?? {};
  const some = db.selectFrom("schedule").selectAll().orderBy("name").limit(mostNamed);
  const unallowed = some.where("consent_id", "is not", null);
  const costs = db.selectFrom("budget_use").select(["subject as name", "used"]).where("scope", "=", "schedule");
  const spent = costs.where("unit", "=", "usd").where("period", "=", dayOf(at)).where("used", ">", 0);
  const [stopped, waiting, declined, costliest] = await Promise.all([
    some.where("paused_reason", "in", [because.ownerLeft, because.failures]).execute(),
    unallowed.where("paused_reason", "is", null).execute(),
    unallowed.where("paused_reason", "is not", null).execute(),
    spent.orderBy("used", "desc").executeTakeFirst(),
  ]);
  const unasked = await unaskedOf(database, waiting);
  const described = (row: ScheduleTable): string => `${row.name}: ${reasonOf(row, unasked)}`;
  return {
    active,
    nextAt: next_at === null ? undefined : isoTime(next_at),
    oldestDueMs: waited ?? 0,
    stopped: stopped.map(described),
    waiting: waiting.map(described),
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
