import type {
  UsageBudget,
  UsageBudgetList,
  UsageGroup,
  UsageGrouping,
  UsageReport,
  UsageSum,
} from "@crosszone/contracts";
import type { ApiQuery } from "@crosszone/contracts/operations";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { factList, muted, saidLine, showContent, stateChip, timeMark } from "./frame.ts";
import { type Column, filterForm, keepFresh, titledTable } from "./list.ts";
import type { Place, Tab } from "./navigation.ts";
import { countText, dollarText, type NameOf, personText } from "./words.ts";

const groupings: Readonly<Record<UsageGrouping, string>> = {
  person: "Person",
  channel: "Channel",
  team: "Team",
  agent: "Agent",
  model: "Model",
  schedule: "Schedule",
  hook: "Hook",
  day: "Day",
};

const dayMs = 86_400_000;

/** The periods of a report and how many days before today they begin. Days are in UTC, like those of budgets. */
const periods: Readonly<Record<string, readonly [words: string, days: (today: Date) => number]>> = {
  month: ["This month", (today) => today.getUTCDate() - 1],
  day: ["Today", () => 0],
  week: ["7 days", () => 6],
  quarter: ["90 days", () => 89],
};

const fields = [
  { name: "by", label: "By", options: Object.entries(groupings) },
  {
    name: "period",
    label: "Period",
    options: Object.entries(periods).map(([value, [words]]) => [value, words] as const),
  },
];

/** Further groups are not shown. */
const mostGroups = 100;
const refreshMs = 30_000;

/** Shows what language models were used for, and the budgets. */
export const usageTab: Tab = { name: "Usage", segments: ["usage"], scope: "runs:read", open: openUsage };

function openUsage(place: Place): void {
  const { api, query, setQuery, signal } = place;
  let filter: ApiQuery = { by: query["by"], period: query["period"] };

  async function read(): Promise<readonly [UsageReport, UsageBudgetList]> {
    const [, days = () => 0] = periods[String(filter["period"] ?? "month")] ?? [];
    const now = api.now();
    const since = new Date(now - (now % dayMs) - days(new Date(now)) * dayMs).toISOString();
    const asked = { by: filter["by"] ?? "person", since, limit: mostGroups };
    return Promise.all([api.call("getUsage", asked, signal), api.call("listBudgets", {}, signal)]);
  }

  function narrow(wanted: ApiQuery): void {
    filter = wanted;
    setQuery(filter);
    fresh.refresh();
  }

  const fresh = keepFresh<readonly [UsageReport, UsageBudgetList]>(place, {
    read,
    pauseMs: () => refreshMs,
    show: (shown, said) =>
      showContent([
        h(
          "div",
          { class: "list-head" },
          h("h1", null, "Usage"),
          filterForm({ fields, title: "usage" }, filter, narrow),
        ),
        saidLine(said),
        shown && [sums(shown[0].sum), budgetTable(shown[1], api.now()), groupTable(shown[0], api.now())],
      ]),
  });
}

function sums({ calls, cost, estimated_calls, input_tokens, output_tokens, unpriced_calls }: UsageSum): ComponentChild {
  const notes = [
    unpriced_calls > 0 && `Calls of models without a known price, not in the cost: ${countText(unpriced_calls)}.`,
    estimated_calls > 0 && `Estimated calls, which run or were stopped: ${countText(estimated_calls)}.`,
  ].filter((note) => note !== false);
  return h(
    "section",
    { class: "surface totals", "aria-label": "Sum" },
    factList([
      ["Cost", costText(cost)],
      ["Model calls", countText(calls)],
      ["Tokens in", countText(input_tokens)],
      ["Tokens out", countText(output_tokens)],
    ]),
    notes.length > 0 && muted(notes.join(" ")),
  );
}

const costText = (cost: number | null): string => (cost === null ? "–" : dollarText(cost));

/** A part of a whole as a bar; the other cells say the same. */
const bar = (part: number): ComponentChild =>
  h("span", { class: "share" }, h("span", { style: { width: `${(Math.min(part, 1) * 100).toFixed(1)}%` } }));

const tableOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => ({
  columns,
  keyOf: (row: Row): string => String(rows.indexOf(row)),
});
const empty = "No calls of language models in this period.";

/** Links a person or a channel to its messages, and an agent to its page. */
function subject(scope: UsageGrouping, key: string | null, names?: NameOf): ComponentChild {
  if (key === null) return h("span", { class: "muted" }, "Outside Slack");
  const href = { person: "/console?find=", channel: "/console?find=", agent: "/console/agents/" }[scope as "person"] as
    string | undefined;
  const isNamed = scope === "person" || scope === "channel";
  const words = scope === "team" ? `${key.slice(0, 12)}…` : isNamed ? personText(key, names) : visibleLine(key);
  return href === undefined ? words : h("a", { href: href + encodeURIComponent(key) }, words);
}

const usedText = ({ limit, unit, used = 0 }: UsageBudget): string =>
  unit === "usd" ? `${dollarText(used)} of ${dollarText(limit)}` : `${countText(used)} of ${countText(limit)} tokens`;

/** What a budget does to the next call. */
function roomChip({ limit, used = 0 }: UsageBudget): ComponentChild {
  if (used >= limit) return stateChip("failed", "Used up");
  return used >= 0.8 * limit ? stateChip("timed_out", "Nearly used") : stateChip("succeeded", "Has room");
}

const budgetColumns = (names?: NameOf): readonly Column<UsageBudget>[] => [
  {
    head: "Of",
    area: "name",
    cell: ({ period, scope, subject: key }) => [
      key === undefined ? `No ${scope} yet` : subject(scope, key, names),
      h("span", { class: "muted" }, `Each ${scope} per ${period}`),
    ],
  },
  { head: "Used", area: "number", cell: usedText },
  { head: "Share", area: "bar", cell: ({ limit, used = 0 }) => bar(used / limit) },
  { head: "State", area: "state", cell: roomChip },
  { head: "Reset", area: "end", cell: ({ resets_at }, now) => ["Resets ", timeMark(resets_at, now)] },
];

const budgetTitle = "Budgets: a model call that could exceed one is rejected";

const budgetTable = ({ budgets, names }: UsageBudgetList, now: number): ComponentChild =>
  budgets.length === 0
    ? h("p", { class: "surface muted usage" }, "No budgets are set: no model call is rejected for its cost.")
    : titledTable(budgetTitle, budgets, {
        ...tableOf(budgets, budgetColumns(names)),
        labelledBy: "budgets",
        empty,
        now,
      });

function groupTable({ by, groups, names, total }: UsageReport, now: number): ComponentChild {
  const tokens = ({ sum }: UsageGroup): number => sum.input_tokens + sum.output_tokens;
  const isPriced = groups.some(({ sum }) => sum.cost !== null);
  const size = (group: UsageGroup): number => (isPriced ? (group.sum.cost ?? 0) : tokens(group));
  const most = Math.max(Number.MIN_VALUE, ...groups.map(size));
  const part = total > groups.length ? `, the first ${String(groups.length)} of ${countText(total)}` : "";
  const columns: readonly Column<UsageGroup>[] = [
    { head: groupings[by], area: "name", cell: ({ key }) => subject(by, key, names) },
    { head: "Cost", area: "number", cell: ({ sum }) => costText(sum.cost) },
    { head: "Share", area: "bar", cell: (group) => bar(size(group) / most) },
    { head: "Tokens", area: "number", cell: (group) => countText(tokens(group)) },
    { head: "Calls", area: "number", cell: ({ sum }) => countText(sum.calls) },
  ];
  const title = `Calls by ${groupings[by].toLowerCase()}${part}`;
  return titledTable(title, groups, { ...tableOf(groups, columns), labelledBy: "groups", empty, now });
}
