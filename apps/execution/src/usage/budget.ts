import { hash } from "node:crypto";
import { AssistantError, type CallRecord } from "@crosszone/assistant";
import type { Cap, FireSource, Owner } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type Kysely, sql } from "kysely";
import { teamKey } from "../store/open-execution-database.ts";
import type { ExecutionTables } from "../store/tables.ts";

/** Whose use of language models a budget limits. */
type BudgetScope = "person" | "channel" | "team" | "agent";
/** `run`: the run of a workflow, by its definition. A schedule or hook: by its cap. */
type ChargedScope = BudgetScope | FireSource | "run";
type BudgetPeriod = "day" | "month";

/** The most that each subject, such as a person, may use per period. */
export interface Budget<Scope = BudgetScope> {
  readonly scope: Scope;
  readonly period: BudgetPeriod;
  /** `usd`: millionths of a US dollar. `tokens`: input and output. */
  readonly unit: "usd" | "tokens";
  readonly limit: number;
}

const form = /^(person|channel|team|agent)\/(day|month)=(\d{1,9}(?:\.\d{1,6})?)(usd|tokens)$/;

/** Parses `person/day=5usd` or `team/month=2000000tokens`; undefined for other text. */
export function parseBudget(text: string): Budget | undefined {
  const [, scope, period, amount, unit] = form.exec(text.toLowerCase()) ?? [];
  if (scope === undefined || period === undefined || amount === undefined || unit === undefined) return undefined;
  const limit = unit === "usd" ? Math.round(Number(amount) * 1_000_000) : Number(amount);
  if (limit === 0 || !Number.isInteger(limit)) return undefined;
  return { scope, period, unit, limit } as Budget;
}

/** Returns the name of a time's period, in UTC: `2026-11-21` or `2026-11`. */
export function periodName(period: BudgetPeriod, at: Date): string {
  return at.toISOString().slice(0, period === "day" ? 10 : 7);
}

const whose: Readonly<Record<ChargedScope, string>> = {
  run: "This run's",
  person: "Your",
  channel: "This channel's",
  team: "Your team's",
  agent: "This agent's",
  schedule: "This schedule's",
  hook: "This hook's",
};
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** Returns the first moment after the period of a time. */
export function resetsAt(period: BudgetPeriod, at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return new Date(period === "month" ? Date.UTC(year, month + 1) : Date.UTC(year, month, at.getUTCDate() + 1));
}

/** Returns a sentence for a person whose budget has no room for a call, and when it resets. */
export function usedUpSentence(budget: Budget<ChargedScope>, at: Date): string {
  const { scope, period } = budget;
  if (scope === "run") return `This run's budget for language models, ${amountOf(budget)}, has no room for this.`;
  const resets = `It resets on ${day.format(resetsAt(period, at))} at 00:00 UTC.`;
  return `${whose[scope]} budget for language models, ${amountOf(budget)} a ${period}, has no room for this. ${resets}`;
}

/** Returns a sentence for a person whose budget is nearly used up. */
export function nearlyUsedSentence(budget: Budget<ChargedScope>): string {
  return `${whose[budget.scope]} budget for language models, ${amountOf(budget)} a ${budget.period}, is 80% used.`;
}

function amountOf({ unit, limit }: Budget<ChargedScope>): string {
  return unit === "usd" ? `$${(limit / 1_000_000).toFixed(2)}` : `${limit.toLocaleString("en-US")} tokens`;
}

/** Whose budgets pay for a model call. */
export interface Payer {
  /** The team's id, by which its rows are found. */
  readonly team: string | undefined;
  readonly person: string | undefined;
  readonly channel: string | undefined;
  readonly agent: string;
  /** The run that makes the calls, with the budgets of its definition. */
  readonly run?:
    { readonly id: string; readonly startedAt: Date; readonly budgets: readonly Budget<"run">[] } | undefined;
}

/** Who pays for the calls of a task. */
export interface TaskPayer extends Payer {
  readonly task_id: string;
  /** The fire whose cap pays too. */
  readonly fire_id?: string | undefined;
}

/** A budget's row for one call. */
interface Charge<Scope extends ChargedScope = ChargedScope> {
  readonly budget: Budget<Scope>;
  readonly key: {
    readonly scope: ChargedScope;
    readonly subject: string;
    readonly period: string;
    readonly unit: string;
  };
  /** Slack id of the person or channel; null for a team and an agent, whose key contains it. */
  readonly subjectId: string | null;
}

/** What a schedule or hook may use in a day, and whose it is. */
export interface FireCap {
  readonly source: FireSource;
  readonly name: string;
  readonly cap: Cap;
}

/** The limit of what is only counted. */
const noLimit = Number.MAX_SAFE_INTEGER;

/** Returns the charges of a call of a fire's task. What has no limit is counted, too: it is shown. */
export function chargesOfFire({ source: scope, name: subject, cap }: FireCap, at: Date): Charge[] {
  const limits = { tokens: cap.tokens, usd: cap.usd === undefined ? undefined : microDollars(cap.usd) };
  return (["tokens", "usd"] as const).map((unit) => {
    const budget = { scope, period: "day", unit, limit: limits[unit] ?? noLimit } as const;
    return { budget, key: { scope, subject, period: periodName("day", at), unit }, subjectId: null };
  });
}

/** Returns the name of a UTC day. `at`: Unix milliseconds. */
export const dayOf = (at: number): string => periodName("day", new Date(at));

/** Counts a fire in the day of `at`, Unix milliseconds, unless the cap has no room. Returns whether it did. */
export async function takeFire(
  db: Kysely<ExecutionTables>,
  { source: scope, name: subject, owner, cap }: FireCap & { readonly owner: Owner },
  at: number,
): Promise<boolean> {
  const row = { scope, subject, period: dayOf(at), unit: "fires", subject_id: null, team: teamKey(owner.team_id) };
  return (await addUse(db, { ...row, used: 1 }, cap.fires)) !== undefined;
}

interface NewUse extends Readonly<Charge["key"]> {
  readonly subject_id: string | null;
  readonly team: string | null;
  readonly used: number;
}

/** Adds to what is used of a budget. Returns its row then; undefined, and adds nothing, if that is more than the limit. */
async function addUse(db: Kysely<ExecutionTables>, row: NewUse, limit = noLimit) {
  const after = sql<number>`budget_use.used + ${row.used}`;
  const adding = db
    .insertInto("budget_use")
    .values({ ...row, noted: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "subject", "period", "unit"])
        .doUpdateSet({ used: after })
        .where(sql<boolean>`${after} <= ${limit}`),
    );
  return row.used > limit ? undefined : adding.returning(["used", "noted"]).executeTakeFirst();
}

/** The used share of a budget that triggers a note. */
const nearlyUsed = 0.8;

/** Returns the charges of a call, in the order of the budgets. Omits a scope whose subject is unknown. */
export function chargesOf<Scope extends BudgetScope | "run">(
  budgets: readonly Budget<Scope>[],
  payer: Payer,
  at: Date,
): Charge<Scope>[] {
  const { team = "", person, channel, agent, run } = payer;
  const digest = (id: string | undefined) => id && hash("sha256", JSON.stringify([team, id]), "base64url");
  const subjects = { person: digest(person), channel: digest(channel), team, agent, run: run?.id };
  const ids = { person, channel, team: undefined, agent: undefined, run: undefined };
  return budgets.flatMap((budget) => {
    const { scope, unit } = budget;
    const subject = subjects[scope];
    if (!subject) return [];
    const id = ids[scope];
    // A run has one budget, whatever days it lasts.
    const period = periodName(budget.period, scope === "run" && run ? run.startedAt : at);
    const key = { scope, subject, period, unit };
    return [{ budget, key, subjectId: id === undefined ? null : columnText(id) }];
  });
}

/**
 * Reserves the most that a call may use, if the budget has room; otherwise throws an `AssistantError` `budget`. Returns
 * a sentence for the person the first time that little is left.
 */
export async function takeRoom(
  db: Kysely<ExecutionTables>,
  { budget, key, subjectId }: Charge,
  call: {
    readonly most: CallRecord;
    readonly team: string | null;
    readonly at: Date;
    readonly emit: Emit<ExecutionEvent>;
  },
): Promise<string | undefined> {
  const { most, team, at, emit } = call;
  const { limit } = budget;
  if (budget.unit === "usd" && most.cost === null && limit !== noLimit) {
    const sentence = "The budget is in US dollars, and the model has no known price. Use a budget in tokens.";
    throw new AssistantError("budget", `no price in ${key.scope}/${budget.period}`, { sentence });
  }
  const taken = await addUse(db, { ...key, subject_id: subjectId, team, used: amountIn(budget, most) }, limit);
  if (taken === undefined) {
    emit("model_call_refused", { scope: key.scope });
    const sentence = usedUpSentence(budget, at);
    throw new AssistantError("budget", `no room in ${key.scope}/${budget.period}`, { sentence });
  }
  if (taken.noted === 1 || taken.used < nearlyUsed * limit) return undefined;
  await updateOf(db, key).set({ noted: 1 }).execute();
  return nearlyUsedSentence(budget);
}

/** Replaces a call's reservation by its actual use. */
export async function changeUse(
  db: Kysely<ExecutionTables>,
  { budget, key }: Charge,
  { most, used }: { readonly most: CallRecord; readonly used: CallRecord },
): Promise<void> {
  const difference = amountIn(budget, used) - amountIn(budget, most);
  await updateOf(db, key)
    .set({ used: sql<number>`used + ${difference}` })
    .execute();
}

const updateOf = (db: Kysely<ExecutionTables>, { scope, subject, period, unit }: Charge["key"]) =>
  db
    .updateTable("budget_use")
    .where("scope", "=", scope)
    .where("subject", "=", subject)
    .where("period", "=", period)
    .where("unit", "=", unit);

/** The zone doesn't start with a budget in dollars and a model without a price. */
function amountIn({ unit }: Budget<ChargedScope>, { tokens, cost }: CallRecord): number {
  return unit === "tokens" ? tokens : microDollars(cost ?? 0);
}

/** Converts US dollars to millionths, rounded up. */
export const microDollars = (dollars: number): number => Math.ceil(dollars * 1_000_000);
