import { hash } from "node:crypto";
import { AssistantError, type CallRecord } from "@crosszone/assistant";
import type { Emit } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql, type Kysely } from "kysely";
import { nearlyUsedSentence, periodName, usedUpSentence, type Budget, type BudgetScope } from "./budget.ts";
import type { ExecutionTables } from "../database/open-execution-database.ts";

/** Whose budgets pay for a model call. */
export interface Payer {
  /** The team's id, by which its rows are found. */
  readonly team: string | undefined;
  readonly person: string | undefined;
  readonly channel: string | undefined;
  readonly agent: string;
}

/** Who pays for the calls of a task. */
export interface TaskPayer extends Payer {
  readonly task_id: string;
}

/** A budget's row for one call. */
export interface Charge {
  readonly budget: Budget;
  readonly key: {
    readonly scope: BudgetScope;
    readonly subject: string;
    readonly period: string;
    readonly unit: string;
  };
  /** Slack id of the person or channel; null for a team and an agent, whose key contains it. */
  readonly subjectId: string | null;
}

/** The used share of a budget that triggers a note. */
const nearlyUsed = 0.8;

/** Returns the charges of a call, in the order of the budgets. Omits a scope whose subject is unknown. */
export function chargesOf(budgets: readonly Budget[], payer: Payer, at: Date): Charge[] {
  const { team = "", person, channel, agent } = payer;
  const digest = (id: string | undefined) => id && hash("sha256", JSON.stringify([team, id]), "base64url");
  const subjects = { person: digest(person), channel: digest(channel), team, agent };
  const ids = { person, channel, team: undefined, agent: undefined };
  return budgets.flatMap((budget) => {
    const { scope, unit } = budget;
    const subject = subjects[scope];
    if (!subject) return [];
    const id = ids[scope];
    const key = { scope, subject, period: periodName(budget.period, at), unit };
    return [{ budget, key, subjectId: id === undefined ? null : columnText(id) }];
  });
}

/** A call that needs room in a budget. */
interface Asking {
  readonly most: CallRecord;
  readonly team: string | null;
  readonly at: Date;
  readonly emit: Emit<ExecutionEvent>;
}

/**
 * Reserves the most that a call may use, if the budget has room; otherwise throws an `AssistantError` `budget`. Returns
 * a sentence for the person the first time that little is left.
 */
export async function takeRoom(
  db: Kysely<ExecutionTables>,
  { budget, key, subjectId }: Charge,
  { most, team, at, emit }: Asking,
): Promise<string | undefined> {
  const { limit } = budget;
  const amount = amountIn(budget, most);
  const adding = db
    .insertInto("budget_use")
    .values({ ...key, subject_id: subjectId, team, used: amount, noted: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "subject", "period", "unit"])
        .doUpdateSet({ used: sql<number>`budget_use.used + ${amount}` })
        .where(sql<boolean>`budget_use.used + ${amount} <= ${limit}`),
    )
    .returning(["used", "noted"]);
  const taken = amount > limit ? undefined : await adding.executeTakeFirst();
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
function amountIn({ unit }: Budget, { tokens, cost }: CallRecord): number {
  return unit === "tokens" ? tokens : microDollars(cost ?? 0);
}

/** Converts US dollars to millionths, rounded up. */
export const microDollars = (dollars: number): number => Math.ceil(dollars * 1_000_000);
