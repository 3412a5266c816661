import type {
  UsageBudget,
  UsageBudgetList,
  UsageGroup,
  UsageGrouping,
  UsageReport,
  UsageSum,
} from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import type { Query } from "./api.ts";
import { countText, dollarText } from "./find/message-words.ts";
import { showContent, stateChip, timeMark } from "./frame.ts";
import { filterForm, keepFresh } from "./list.ts";
import type { Tab } from "./navigation.ts";

const groupings: Readonly<Record<UsageGrouping, string>> = {
  person: "Person",
  channel: "Channel",
  team: "Team",
  agent: "Agent",
  model: "Model",
  day: "Day",
};

const dayMs = 86_400_000;

/** The periods of a report and the days before today with which they begin. Days are in UTC, like those of budgets. */
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

/** More groups of a report are not shown. */
const mostGroups = 100;
const refreshMs = 30_000;

interface Shown {
  readonly report: UsageReport;
  readonly budgets: readonly UsageBudget[];
}

/** Shows what language models were used for, and the budgets. */
export const usageTab: Tab = {
  name: "Usage",
  segments: ["usage"],
  open: (place) => {
    const { api, query, setQuery, signal } = place;
    let filter: Query = { by: query["by"], period: query["period"] };

    async function read(): Promise<Shown> {
      const [, days] = periods[String(filter["period"])] ?? periods["month"] ?? [];
      const now = api.now();
      const since = new Date(now - (now % dayMs) - (days?.(new Date(now)) ?? 0) * dayMs).toISOString();
      const by = filter["by"] ?? "person";
      const [report, { budgets }] = await Promise.all([
        api.get<UsageReport>("/usage", { by, since, limit: mostGroups }, signal),
        api.get<UsageBudgetList>("/usage/budgets", {}, signal),
      ]);
      return { report, budgets };
    }

    const fresh = keepFresh<Shown>(place, {
      read,
      pauseMs: () => refreshMs,
      show: (shown, said) =>
        showContent([
          h(
            "div",
            { class: "list-head" },
            h("h1", { id: "list-title" }, "Usage"),
            filterForm({ fields, title: "usage" }, filter, (wanted) => {
              filter = wanted;
              setQuery(filter);
              fresh.refresh();
            }),
          ),
          said !== "" && h("p", { class: "said", role: "alert" }, said),
          shown && [sums(shown.report.sum), budgetTable(shown.budgets, api.now()), groupTable(shown.report)],
        ]),
    });
  },
};

function sums({ calls, cost, estimated_calls, input_tokens, output_tokens, unpriced_calls }: UsageSum): ComponentChild {
  const fact = (name: string, value: string): ComponentChild =>
    h("div", null, h("dt", null, name), h("dd", null, value));
  const notes = [
    unpriced_calls > 0 && `${countText(unpriced_calls)} calls of models without a known price are not in the cost.`,
    estimated_calls > 0 && `${countText(estimated_calls)} calls are estimated: they run, or were stopped.`,
  ].filter((note) => note !== false);
  return h(
    "section",
    { class: "surface totals", "aria-label": "Sum" },
    h(
      "dl",
      null,
      fact("Cost", costText(cost)),
      fact("Model calls", countText(calls)),
      fact("Tokens in", countText(input_tokens)),
      fact("Tokens out", countText(output_tokens)),
    ),
    notes.length > 0 && h("p", { class: "muted" }, notes.join(" ")),
  );
}

const costText = (cost: number | null): string => (cost === null ? "–" : dollarText(cost));

/** A part of a whole as a bar. The cells beside it say the same. */
const bar = (part: number): ComponentChild =>
  h(
    "span",
    { class: "share", "aria-hidden": "true" },
    h("span", { style: { width: `${(Math.min(part, 1) * 100).toFixed(1)}%` } }),
  );

interface UsageColumn<Row> {
  readonly head: string;
  readonly area: "name" | "bar" | "number" | "more";
  readonly cell: (row: Row) => ComponentChildren;
}

function table<Row>(
  id: string,
  title: string,
  rows: readonly Row[],
  columns: readonly UsageColumn<Row>[],
): ComponentChild {
  return h(
    "section",
    { class: "surface list usage", "aria-labelledby": id },
    h("h2", { id }, title),
    rows.length === 0
      ? h("p", { class: "empty" }, "No calls of language models in this period.")
      : h(
          "table",
          { class: "rows", "aria-labelledby": id },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              columns.map(({ area, head }) => h("th", { scope: "col", class: `cell-${area}` }, head)),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map((row, at) =>
              h(
                "tr",
                { key: at },
                columns.map(({ area, cell, head }) => h("td", { class: `cell-${area}`, "data-head": head }, cell(row))),
              ),
            ),
          ),
        ),
  );
}

/** Links a person or a channel to its messages, and an agent to its page. */
function subject(scope: UsageGrouping, key: string | null | undefined): ComponentChild {
  if (key == null)
    return h("span", { class: "muted" }, scope === "channel" ? "Direct or outside Slack" : "Outside Slack");
  const shown = scope === "team" ? `${key.slice(0, 12)}…` : visibleLine(key);
  if (scope === "agent") return h("a", { href: `/console/agents/${encodeURIComponent(key)}` }, shown);
  if (scope !== "person" && scope !== "channel") return shown;
  return h("a", { href: `/console?find=${encodeURIComponent(key)}` }, shown);
}

const amountText = ({ unit }: UsageBudget, amount: number): string =>
  unit === "usd" ? dollarText(amount) : `${countText(amount)} tokens`;

/** What a budget does to the next call. A call is refused when the most that it may use has no room. */
function roomChip({ limit, used = 0 }: UsageBudget): ComponentChild {
  if (used >= limit) return stateChip("failed", "Used up");
  return used >= 0.8 * limit ? stateChip("timed_out", "Nearly used") : stateChip("succeeded", "Has room");
}

const budgetTable = (budgets: readonly UsageBudget[], now: number): ComponentChild =>
  budgets.length === 0
    ? h("p", { class: "surface muted" }, "No budgets are set, so no call is refused for its cost.")
    : table("budgets", "Budgets: a model call that could exceed one is refused", budgets, [
        {
          head: "Of",
          area: "name",
          cell: ({ period, scope, subject: key }) => [
            key === undefined ? `No ${scope} yet` : subject(scope, key),
            h("span", { class: "muted" }, `Each ${scope}, each ${period}`),
          ],
        },
        { head: "Share", area: "bar", cell: ({ limit, used = 0 }) => bar(used / limit) },
        {
          head: "Used",
          area: "number",
          cell: (budget) => `${amountText(budget, budget.used ?? 0)} of ${amountText(budget, budget.limit)}`,
        },
        { head: "Next call", area: "more", cell: roomChip },
        { head: "Resets", area: "more", cell: ({ resets_at }) => timeMark(resets_at, now) },
      ]);

function groupTable({ by, groups, total }: UsageReport): ComponentChild {
  const tokens = ({ sum }: UsageGroup): number => sum.input_tokens + sum.output_tokens;
  const isPriced = groups.some(({ sum }) => sum.cost !== null);
  const size = (group: UsageGroup): number => (isPriced ? (group.sum.cost ?? 0) : tokens(group));
  const most = Math.max(Number.MIN_VALUE, ...groups.map(size));
  const title = `By ${groupings[by].toLowerCase()}${total > groups.length ? `: the first ${String(groups.length)} of ${countText(total)}` : ""}`;
  return table("groups", title, groups, [
    { head: groupings[by], area: "name", cell: ({ key }) => subject(by, key) },
    { head: "Share", area: "bar", cell: (group) => bar(size(group) / most) },
    { head: "Cost", area: "number", cell: ({ sum }) => costText(sum.cost) },
    { head: "Tokens", area: "number", cell: (group) => countText(tokens(group)) },
    { head: "Calls", area: "number", cell: ({ sum }) => countText(sum.calls) },
  ]);
}
