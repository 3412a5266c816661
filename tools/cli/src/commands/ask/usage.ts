import type { UsageBudget, UsageReport, UsageSum } from "@crosszone/contracts";
import { actRow } from "../../program/row.ts";
import { fit, harmlessLine, table } from "../../text/terminal-text.ts";

export const usageCommand = actRow({
  name: "usage",
  operation: "getUsage",
  summary: "Shows language model usage and cost, and the budgets.",
  options: {
    month: {
      flags: "--month <month>",
      help: "a whole month (default: this one), such as 2026-11; instead of --since and --until",
    },
  },
  examples: [
    ["crosszone usage", "this month, by model"],
    ["crosszone usage --by person --since 7d", "the top users of the last seven days"],
    ["crosszone usage --by day --month 2026-10 --json", "each day of a month, for programs"],
  ],
  show: async (report, { api }) => {
    const { budgets, names = {} } = await api.call("listBudgets", {});
    const named = budgets.map((one) => ({ ...one, subject: names[one.subject ?? ""] ?? one.subject }));
    return { json: { ...report, budgets }, text: usageText(report, named), notice: usageNotice(report.sum) };
  },
});

const number = new Intl.NumberFormat("en-US");

/** Column widths that keep a row within 80 columns for most numbers. */
const widths = { key: 28, subject: 11, bar: 8 };

/** Returns a table of the groups with their sum below, and a table of the budgets if there are any. */
function usageText({ by, groups, names = {}, sum }: UsageReport, budgets: readonly UsageBudget[]): string {
  const teams = new Set(groups.map(({ team }) => team));
  const rows = groups.map(({ key, team, sum: one }) => [
    nameOf(names[key ?? ""] ?? key, teams.size > 1 ? team : null),
    ...cellsOf(one),
  ]);
  const head = [by.toUpperCase(), "CALLS", "INPUT", "CACHED", "OUTPUT", "COST"];
  const usage = table(head, [...rows, ["total", ...cellsOf(sum)]], { numbers: [1, 2, 3, 4, 5] });
  return budgets.length === 0 ? usage : `${usage}\n${budgetTable(budgets)}`;
}

/** Returns what limits the accuracy of the sums; empty when all of them are exact. */
function usageNotice({ calls, estimated_calls, unpriced_calls }: UsageSum): string {
  const of = (count: number): string => `${number.format(count)} of ${number.format(calls)} calls`;
  return [
    estimated_calls > 0 && `${of(estimated_calls)} are estimates: the provider reported no token counts.\n`,
    unpriced_calls > 0 && `Cost unknown for ${of(unpriced_calls)}: no price for this model.\n`,
  ]
    .filter((line) => line !== false)
    .join("");
}

function cellsOf({ calls, input_tokens, output_tokens, cached_input_tokens, cost }: UsageSum): string[] {
  const counts = [calls, input_tokens, cached_input_tokens, output_tokens].map((count) => number.format(count));
  return [...counts, cost === null ? "unknown" : dollars(cost)];
}

const unknown = "(not known)";

function nameOf(key: string | null, team: string | null | undefined): string {
  const name = fit(harmlessLine(key ?? unknown), widths.key);
  return team ? `${name} in ${fit(team, 8)}` : name;
}

function budgetTable(budgets: readonly UsageBudget[]): string {
  const rows = budgets.map((budget) => {
    const { scope, subject, period, limit, used = 0, resets_at } = budget;
    const owner = subject === undefined ? "" : ` ${fit(harmlessLine(subject ?? unknown), widths.subject)}`;
    const share = used / limit;
    const amounts = `${amount(budget, used)} of ${amount(budget, limit)}${budget.unit === "tokens" ? " tokens" : ""}`;
    return [`${scope}${owner} a ${period}`, bar(share), `${Math.round(100 * share)}%`, amounts, resets_at.slice(0, 10)];
  });
  return table(["BUDGET", "", "USED", "", "RESETS"], rows, { numbers: [2] });
}

function bar(share: number): string {
  const full = Math.min(widths.bar, Math.max(0, Math.round(share * widths.bar)));
  return `[${"#".repeat(full)}${".".repeat(widths.bar - full)}]`;
}

function amount({ unit }: UsageBudget, value: number): string {
  return unit === "usd" ? dollars(value) : number.format(value);
}

/** Amounts below a cent have four digits, so that many small calls do not look free. */
const dollars = (value: number): string => `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;
