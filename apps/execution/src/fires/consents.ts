import { hash, randomUUID } from "node:crypto";
import { inputKind } from "@crosszone/agent-calls";
import { type AppendAudit, zoneAct } from "@crosszone/audit";
import type { InputRequest, ScheduleSettings } from "@crosszone/contracts";
import type { Emit, RecordCodec } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { forUpdate, now, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Transaction } from "kysely";
import { consentOrigin, type NewInput } from "../people/input-record.ts";
import type { InputOwner } from "../people/run-inputs.ts";
import type { ExecutionTables, ScheduleTable } from "../store/tables.ts";
import type { ExecutionDatabase, ZoneJobs } from "../store/open-execution-database.ts";
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
