/** Whose use of language models a budget limits. */
export type BudgetScope = "person" | "channel" | "team" | "agent";
export type BudgetPeriod = "day" | "month";

/** The most that each subject, such as a person, may use per period. */
export interface Budget {
  readonly scope: BudgetScope;
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

const whose: Readonly<Record<BudgetScope, string>> = {
  person: "Your",
  channel: "This channel's",
  team: "Your team's",
  agent: "This agent's",
};
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** Returns the first moment after the period of a time. */
export function resetsAt(period: BudgetPeriod, at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return new Date(period === "month" ? Date.UTC(year, month + 1) : Date.UTC(year, month, at.getUTCDate() + 1));
}

/** Returns a sentence for a person whose budget has no room for a call, and when it resets. */
export function usedUpSentence(budget: Budget, at: Date): string {
  const { scope, period } = budget;
  const resets = `It resets on ${day.format(resetsAt(period, at))} at 00:00 UTC.`;
  return `${whose[scope]} budget for language models, ${amountOf(budget)} a ${period}, has no room for this. ${resets}`;
}

/** Returns a sentence for a person whose budget is nearly used up. */
export function nearlyUsedSentence(budget: Budget): string {
  return `${whose[budget.scope]} budget for language models, ${amountOf(budget)} a ${budget.period}, is 80% used.`;
}

function amountOf({ unit, limit }: Budget): string {
  return unit === "usd" ? `$${(limit / 1_000_000).toFixed(2)}` : `${limit.toLocaleString("en-US")} tokens`;
}
