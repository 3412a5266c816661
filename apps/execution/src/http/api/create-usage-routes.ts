import {
  moment,
  page,
  readQuery,
  SharedProblem,
  textThat,
  type ApiContent,
  type ApiExchange,
  type ApiPart,
} from "@crosszone/admin-api";
import { isUsageGrouping } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import { periodName } from "../../usage/budget.ts";
import type { UsageReader } from "../../usage/sql-usage-reader.ts";
import type { UsageRange } from "../../usage/usage-groups.ts";

export interface UsageRoutesDeps {
  readonly usage: UsageReader;
  readonly now: () => Date;
}

const reportQuery = {
  ...page,
  by: textThat(isUsageGrouping, "must be person, channel, team, agent, model or day"),
  since: moment,
  until: moment,
};

/** The longest range of a report, milliseconds. Calls are stored for as long. */
const longestMs = 396 * 86_400_000;

/** Creates the part of the API that reports the use of language models. */
export function createUsageRoutes({ usage, now }: UsageRoutesDeps): ApiPart {
  async function report({ request }: ApiExchange): Promise<ApiContent> {
    const { by = "model", since, until, ...part } = readQuery(request.url, reportQuery);
    const body = await usage.report({ by, ...rangeOf(since, until, now()), ...part });
    return { status: 200, body };
  }

  async function budgets({ request }: ApiExchange): Promise<ApiContent> {
    readQuery(request.url, {});
    return { status: 200, body: await usage.budgets() };
  }

  return { document: openApi("usage"), paths: { "/usage": { get: report }, "/usage/budgets": { get: budgets } } };
}

function rangeOf(from: number | undefined, to: number | undefined, at: Date): UsageRange {
  const until = to ?? at.getTime();
  const lastMonth = periodName("month", new Date(Math.min(until - 1, at.getTime())));
  const since = from ?? Date.parse(lastMonth);
  if (since >= until) throw badRange("must be earlier than until");
  if (until - since > longestMs) throw badRange("must be at most 396 days before until");
  return { since, until };
}

const badRange = (message: string): SharedProblem =>
  new SharedProblem("malformed_request", "The query is not valid.", { problems: [{ pointer: "/since", message }] });
