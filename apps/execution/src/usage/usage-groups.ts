import type { UsageGroup, UsageGrouping, UsageSum } from "@crosszone/contracts";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { ExecutionTables } from "../database/open-execution-database.ts";

/** Unix milliseconds; `until` is the first moment after the range. */
export interface UsageRange {
  readonly since: number;
  readonly until: number;
}

interface GroupKey {
  readonly key: string | number | null;
  readonly team: string | null;
}

/** The calls of one person, channel, team, agent, model or day. */
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
  day: [sql`at / ${sql.lit(dayMs)}`, noTeam],
};

/**
 * Returns the groups of a range: days in order, others by cost and then tokens, largest first. Each statement reads
 * about `rowsAtOnce` calls, so that a range with millions of calls blocks neither the database nor this process for
 * long.
 */
export async function readGroups(
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
      where at >= ${from} and at < ${to} group by 1, 2`.execute(db);
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
export function usageGroup(by: UsageGrouping, { key, team, sum }: GroupRow): UsageGroup {
  const said = typeof key === "number" ? new Date(key * dayMs).toISOString().slice(0, 10) : key;
  return { key: said, team: by === "person" || by === "channel" ? team : undefined, sum: usageSum(sum) };
}

/** Sums of columns of `model_call`, as the database returns them. */
export interface SumRow {
  readonly calls: number;
  readonly estimated: number;
  readonly unpriced: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Millionths of a US dollar; null when no call has a price. */
  readonly cost: number | null;
}

/** The columns of a `SumRow`. */
export const sumColumns: RawBuilder<SumRow> = sql`count(*) as calls, coalesce(sum(estimated), 0) as estimated,
  coalesce(sum(case when cost is null then 1 else 0 end), 0) as unpriced, coalesce(sum(input_tokens), 0) as input,
  coalesce(sum(output_tokens), 0) as output, coalesce(sum(cached_tokens), 0) as cached, sum(cost) as cost`;

export const noCalls: SumRow = { calls: 0, estimated: 0, unpriced: 0, input: 0, output: 0, cached: 0, cost: null };

export function addSums(a: SumRow, b: SumRow): SumRow {
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

export function usageSum({ calls, estimated, unpriced, input, output, cached, cost }: SumRow): UsageSum {
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

/** Converts millionths of a US dollar to dollars. */
export const dollars = (millionths: number): number => millionths / 1_000_000;
