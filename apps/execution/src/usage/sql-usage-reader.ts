import type {
  GetUsageParams,
  GetUsageResult,
  UsageBudgetList,
  UsageGrouping,
  UsageReport,
  UsageBudget,
} from "@crosszone/contracts";
import { columnText, retryBriefly } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import { type ExecutionDatabase, type ExecutionTables, teamKey } from "../database/open-execution-database.ts";
import { type Payer, chargesOf } from "./budget-charges.ts";
import { periodName, resetsAt, type Budget } from "./budget.ts";
import type { UsageDeps } from "./sql-usage.ts";
import {
  addSums,
  dollars,
  noCalls,
  readGroups,
  sumColumns,
  type SumRow,
  usageGroup,
  type UsageRange,
  usageSum,
} from "./usage-groups.ts";

export interface UsageQuery extends UsageRange {
  readonly by: UsageGrouping;
  /** The most groups returned. */
  readonly limit: number;
  readonly offset: number;
}

/** The person whose usage is read. */
type UsagePerson = Payer & { readonly person: string };

/** Reads the recorded use of language models. */
export interface UsageReader {
  readonly report: (query: UsageQuery) => Promise<UsageReport>;
  readonly budgets: () => Promise<UsageBudgetList>;
  /** Returns only this person's use. */
  readonly ofPerson: (who: UsagePerson) => Promise<GetUsageResult>;
}

/** `rowsAtOnce` is about how many calls one statement of a report reads. */
export function createSqlUsageReader(
  { db }: ExecutionDatabase,
  { budgets, now, rowsAtOnce = 20_000 }: UsageDeps & { readonly rowsAtOnce?: number },
): UsageReader {
  async function sumSince({ person, team }: UsagePerson, since: number): Promise<SumRow> {
    const isTeam = team === undefined ? sql`team is null` : sql`team = ${team}`;
    const { rows } = await sql<SumRow>`
      select ${sumColumns} from model_call
      where person = ${columnText(person)} and at >= ${since} and ${isTeam}`.execute(db);
    return rows[0] ?? noCalls;
  }

  return {
    report: async ({ by, since, until, limit, offset }) => {
      const groups = await retryBriefly(() => readGroups(db, by, { since, until, rowsAtOnce }));
      return {
        by,
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        sum: usageSum(groups.reduce((sum, group) => addSums(sum, group.sum), noCalls)),
        groups: groups.slice(offset, offset + limit).map((group) => usageGroup(by, group)),
        total: groups.length,
        limit,
        offset,
      };
    },

    budgets: async () => {
      const at = now();
      const states = await retryBriefly(() => Promise.all(budgets.map((budget) => budgetSubjects(db, budget, at))));
      return { budgets: states.flat() };
    },

    ofPerson: async (who) => {
      const at = now();
      const began = (period: "day" | "month"): number => Date.parse(periodName(period, at));
      const [day, month, limits] = await retryBriefly(() =>
        Promise.all([
          sumSince(who, began("day")),
          sumSince(who, began("month")),
          budgetsOfPerson(db, budgets, { payer: who, at }),
        ]),
      );
      return { day: usageSum(day), month: usageSum(month), budgets: limits };
    },
  };
}

/**
 * Returns a requester's usage for `get_usage`. The caller vouches for the requester's identity, as it does for tasks.
 */
export function createUsageOf({ ofPerson }: UsageReader, agent: string) {
  return ({ user_id: person, team_id, channel }: GetUsageParams): Promise<GetUsageResult> => {
    const team = team_id === undefined ? undefined : teamKey(team_id);
    return ofPerson({ person, team, channel, agent });
  };
}

/** The answer when no model is connected. */
export const nothingUsed = async (): Promise<GetUsageResult> => ({
  day: usageSum(noCalls),
  month: usageSum(noCalls),
  budgets: [],
});

/** The most entries per budget. */
const mostSubjects = 50;

/**
 * Returns a budget's current period once per subject that used it, the largest use first; once without a subject when
 * nothing was used.
 */
async function budgetSubjects(db: Kysely<ExecutionTables>, budget: Budget, at: Date): Promise<UsageBudget[]> {
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
    team: isOfTeam ? team : undefined,
  }));
}

/**
 * Returns the budgets that limit a person, with the used amount only for the person's own. Other people's use is not
 * shown.
 */
async function budgetsOfPerson(
  db: Kysely<ExecutionTables>,
  budgets: readonly Budget[],
  { payer, at }: { readonly payer: Payer; readonly at: Date },
): Promise<UsageBudget[]> {
  const states = chargesOf(budgets, payer, at).map(async ({ budget, key }) => {
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
