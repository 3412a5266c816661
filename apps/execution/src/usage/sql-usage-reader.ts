import type {
  GetUsageParams,
  GetUsageResult,
  TaskLife,
  UsageBudget,
  UsageBudgetList,
  UsageGroup,
  UsageGrouping,
  UsageReport,
  UsageSum,
} from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText, retryBriefly } from "@crosszone/sql";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { type Budget, chargesOf, type Payer, periodName, resetsAt } from "./budget.ts";
import type { UsageDeps } from "./sql-usage.ts";

/** Unix milliseconds; `until` is the first moment after the range. */
export interface UsageRange {
  readonly since: number;
  readonly until: number;
}

interface GroupKey {
  readonly key: string | number | null;
  readonly team: string | null;
}

/** The calls of one person, channel, team, agent, model, schedule, hook or day. */
export interface GroupRow extends GroupKey {
  readonly sum: SumRow;
}

const dayMs = 86_400_000;
const noTeam = sql<null>`null`;

/** The keys of groups. Slack ids of people and channels are unique only within a team. */
const columns: Readonly<Record<UsageGrouping, readonly [key: RawBuilder<unknown>, team: RawBuilder<unknown>]>> = {
  person: [sql`person`, sql`team`],
  channel: [sql`channel`, sql`team`],
  team: [sql`team`, noTeam],
  agent: [sql`agent`, noTeam],
  model: [sql`model`, noTeam],
  schedule: [sql`schedule`, noTeam],
  hook: [sql`hook`, noTeam],
  day: [sql`at / ${sql.lit(dayMs)}`, noTeam],
};

/**
 * Returns the groups of a range: days in order, others by cost and then tokens, largest first. Each statement reads
 * about `rowsAtOnce` calls, so that a range with millions of calls blocks neither the database nor this process for
 * long.
 */
async function readUsageGroups(
  db: Kysely<ExecutionTables>,
  by: UsageGrouping,
  { rowsAtOnce, since, until }: UsageRange & { readonly rowsAtOnce: number },
): Promise<GroupRow[]> {
  const groups = new Map<string, GroupRow>();
  const [keyColumn, teamColumn] = columns[by];
  for (let from = since; from < until;) {
    const to = await endOfSlice(db, { since: from, until }, rowsAtOnce);
    const { rows } = await sql<SumRow & GroupKey>`
      select ${keyColumn} as key, ${teamColumn} as team, ${sumColumns} from model_call
      where ${ofModels} and at >= ${from} and at < ${to} group by 1, 2`.execute(db);
    for (const { key, team, ...sum } of rows) {
      const id = JSON.stringify([key, team]);
      const before = groups.get(id);
      groups.set(id, { key, team, sum: before === undefined ? sum : addSums(before.sum, sum) });
    }
    from = to;
  }
  return [...groups.values()].toSorted(by === "day" ? byKey : bySize);
}

/** A slice contains all rows of a millisecond. */
async function endOfSlice(
  db: Kysely<ExecutionTables>,
  { since, until }: UsageRange,
  rowsAtOnce: number,
): Promise<number> {
  const next = await db
    .selectFrom("model_call")
    .select("at")
    .where("at", ">=", since)
    .where("at", "<", until)
    .orderBy("at")
    .offset(rowsAtOnce)
    .limit(1)
    .executeTakeFirst();
  return next === undefined ? until : Math.max(next.at, since + 1);
}

const byKey = (a: GroupRow, b: GroupRow): number => ((a.key ?? "") < (b.key ?? "") ? -1 : 1);

function bySize(a: GroupRow, b: GroupRow): number {
  const tokens = ({ sum }: GroupRow): number => sum.input + sum.output;
  return (b.sum.cost ?? 0) - (a.sum.cost ?? 0) || tokens(b) - tokens(a) || byKey(a, b);
}

/** Converts a group to the contract's form. */
function usageGroup(by: UsageGrouping, { key, team, sum }: GroupRow): UsageGroup {
  const said = typeof key === "number" ? new Date(key * dayMs).toISOString().slice(0, 10) : key;
  return { key: said, team: by === "person" || by === "channel" ? team : undefined, sum: usageSum(sum) };
}

/** Sums of columns of `model_call`, as the database returns them. */
interface SumRow {
  readonly calls: number;
  readonly estimated: number;
  readonly unpriced: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Millionths of a US dollar; null when no call has a price. */
  readonly cost: number | null;
}

/** Calls of tools are in the same table. */
const ofModels = sql`tool is null`;

const sumColumns: RawBuilder<SumRow> = sql`count(*) as calls, coalesce(sum(estimated), 0) as estimated,
  coalesce(sum(case when cost is null then 1 else 0 end), 0) as unpriced, coalesce(sum(input_tokens), 0) as input,
  coalesce(sum(output_tokens), 0) as output, coalesce(sum(cached_tokens), 0) as cached, sum(cost) as cost`;

const noCalls: SumRow = { calls: 0, estimated: 0, unpriced: 0, input: 0, output: 0, cached: 0, cost: null };

function addSums(a: SumRow, b: SumRow): SumRow {
  return {
    calls: a.calls + b.calls,
    estimated: a.estimated + b.estimated,
    unpriced: a.unpriced + b.unpriced,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    cost: a.cost === null ? b.cost : a.cost + (b.cost ?? 0),
  };
}

function usageSum({ calls, estimated, unpriced, input, output, cached, cost }: SumRow): UsageSum {
  return {
    calls,
    estimated_calls: estimated,
    unpriced_calls: unpriced,
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    cost: cost === null ? null : dollars(cost),
  };
}

const dollars = (millionths: number): number => millionths / 1_000_000;

/** A page of the groups of a range. */
type UsageQuery = UsageRange & { readonly by: UsageGrouping; readonly limit: number; readonly offset: number };
/** The person whose usage is read. */
type UsagePerson = Payer & { readonly person: string };

export type UsageReader = ReturnType<typeof createSqlUsageReader>;

/** `rowsAtOnce` is about how many calls one statement of a report reads. */
export function createSqlUsageReader(
  { db }: ExecutionDatabase,
  { budgets, now, rowsAtOnce = 20_000 }: UsageDeps & { readonly rowsAtOnce?: number },
) {
  async function sumSince({ person, team }: UsagePerson, since: number): Promise<SumRow> {
    const isTeam = team === undefined ? sql`team is null` : sql`team = ${team}`;
    const { rows } = await sql<SumRow>`
      select ${sumColumns} from model_call
      where ${ofModels} and person = ${columnText(person)} and at >= ${since} and ${isTeam}`.execute(db);
    return rows[0] ?? noCalls;
  }

  return {
    report: async ({ by, since, until, limit, offset }: UsageQuery): Promise<Omit<UsageReport, "next_cursor">> => {
      const groups = await retryBriefly(() => readUsageGroups(db, by, { since, until, rowsAtOnce }));
      return {
        by,
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        sum: usageSum(groups.reduce((sum, group) => addSums(sum, group.sum), noCalls)),
        groups: groups.slice(offset, offset + limit).map((group) => usageGroup(by, group)),
        total: groups.length,
      };
    },

    budgets: async (): Promise<UsageBudgetList> => {
      const at = now();
      const states = await retryBriefly(() => Promise.all(budgets.map((budget) => budgetSubjects(db, budget, at))));
      return { budgets: states.flat() };
    },

    /** Returns the calls of tasks, oldest first, up to `most` of models and of tools. */
    callsOf: async (
      taskIds: readonly string[],
      most: number,
    ): Promise<Required<Pick<TaskLife, "model_calls" | "tool_calls">>> => {
      const calls = db.selectFrom("model_call").where("task_id", "in", taskIds).orderBy("at").limit(most);
      const times = calls.select(["agent", "at", "ended_at"]);
      const ofModel = times.select(["model", "input_tokens", "output_tokens", "cached_tokens", "cost", "estimated"]);
      const models = await retryBriefly(() => ofModel.where("tool", "is", null).execute());
      const ofTool = times.select(["server", "tool", "outcome"]);
      const tools = await retryBriefly(() => ofTool.where("tool", "is not", null).execute());
      return {
        model_calls: models.map(({ cached_tokens: cached_input_tokens, cost, estimated, ...call }) => ({
          ...call,
          ...timesOf(call),
          cached_input_tokens,
          cost: cost === null ? null : dollars(cost),
          estimated: estimated === 1,
        })),
        tool_calls: tools.map(({ server, tool, outcome, ...call }) => ({
          ...call,
          ...timesOf(call),
          server: server ?? "",
          tool: tool ?? "",
          outcome: outcome ?? undefined,
        })),
      };
    },

    /** Returns only this person's use. */
    ofPerson: async (who: UsagePerson): Promise<GetUsageResult> => {
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

const timesOf = ({ at, ended_at }: { readonly at: number; readonly ended_at: number | null }) => ({
  at: isoTime(at),
  ended_at: ended_at === null ? undefined : isoTime(ended_at),
});

/**
 * Returns a requester's usage for `get_usage`. The caller vouches for the requester's identity, as it does for tasks.
 */
export function createUsageOf({ ofPerson }: UsageReader, agent: string) {
  return ({ user_id: person, team_id, channel }: GetUsageParams): Promise<GetUsageResult> => {
    const team = team_id === undefined ? undefined : teamKey(team_id);
    return ofPerson({ person, team, channel, agent });
  };
}

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
