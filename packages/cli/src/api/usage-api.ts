import {
  isUsageBudgetList,
  isUsageReport,
  type UsageBudgetList,
  type UsageGrouping,
  type UsageReport,
} from "@crosszone/contracts";
import type { AskApi } from "./agents-api.ts";
import type { Page } from "./page.ts";
import { queryOf } from "./query-of.ts";

export interface UsageQuery extends Page {
  readonly by: UsageGrouping;
  /** RFC 3339. Default: the zone's own range, this month until now. */
  readonly since?: string;
  readonly until?: string;
}

/** Client of the zone's usage API. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface UsageApi {
  readonly report: (query: UsageQuery) => Promise<UsageReport>;
  readonly budgets: () => Promise<UsageBudgetList>;
}

export function createUsageApi(ask: AskApi): UsageApi {
  return {
    report: (query) => ask(isUsageReport, { path: `usage${queryOf({ ...query })}` }),
    budgets: () => ask(isUsageBudgetList, { path: "usage/budgets" }),
  };
}
