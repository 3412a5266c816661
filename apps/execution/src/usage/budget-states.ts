import type { UsageBudget } from "@crosszone/contracts";
import type { Kysely } from "kysely";
import { chargesOf, type Payer } from "./budget-charges.ts";
import { periodName, resetsAt, type Budget } from "./budget.ts";
import { dollars } from "./usage-sums.ts";
import type { UsageTables } from "../database/usage-table.ts";

/** The most entries per budget. */
const mostSubjects = 50;

/**
 * Returns a budget's current period once per subject that used it, the largest use first; once without a subject when
 * nothing was used.
 */
export async function budgetSubjects(db: Kysely<UsageTables>, budget: Budget, at: Date): Promise<UsageBudget[]> {
  const { scope, unit } = budget;
  const rows = await db
    .selectFrom("budget_use")
    .select(["subject", "subject_id", "team", "used"])
    .where("period", "=", periodName(budget.period, at))
    .where("scope", "=", scope)
    .where("unit", "=", unit)
    .orderBy("used", "desc")
    .limit(mostSubjects)
    .execute();
  const state = budgetOf(budget, at);
  if (rows.length === 0) return [{ ...state, used: 0 }];
  const isOfTeam = scope === "person" || scope === "channel";
  return rows.map(({ subject, subject_id, team, used }) => ({
    ...state,
    used: amount(budget, used),
    subject: subject_id ?? subject,
    ...(isOfTeam && { team }),
  }));
}

/**
 * Returns the budgets that limit a person, with the used amount only for the person's own. Other people's use is not
 * shown.
 */
export async function budgetsOfPerson(
  db: Kysely<UsageTables>,
  budgets: readonly Budget[],
  { payer, at }: { readonly payer: Omit<Payer, "task_id">; readonly at: Date },
): Promise<UsageBudget[]> {
  const states = chargesOf(budgets, { ...payer, task_id: "" }, at).map(async ({ budget, key }) => {
    const state = budgetOf(budget, at);
    if (budget.scope !== "person") return state;
    const row = await db
      .selectFrom("budget_use")
      .select("used")
      .where("scope", "=", key.scope)
      .where("subject", "=", key.subject)
      .where("period", "=", key.period)
      .where("unit", "=", key.unit)
      .executeTakeFirst();
    return { ...state, used: amount(budget, row?.used ?? 0) };
  });
  return Promise.all(states);
}

function budgetOf(budget: Budget, at: Date): UsageBudget {
  const { scope, period, unit, limit } = budget;
  return { scope, period, unit, limit: amount(budget, limit), resets_at: resetsAt(period, at).toISOString() };
}

/** US dollars, or tokens. */
const amount = ({ unit }: Budget, used: number): number => (unit === "usd" ? dollars(used) : used);
