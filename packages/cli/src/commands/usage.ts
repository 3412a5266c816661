import { isUsageGrouping, type UsageGrouping } from "@crosszone/contracts";
import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { didYouMean } from "../arguments/near-names.ts";
import { pageOptions, readPage } from "../arguments/read-page.ts";
import { rangeOptions, readRange } from "../arguments/read-range.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { harmlessJson } from "../output/harmless.ts";
import { pageNotice } from "../output/page-notice.ts";
import { usageNotice, usageText } from "../output/usage-text.ts";

const groupings = ["person", "channel", "team", "agent", "model", "day"] satisfies UsageGrouping[];

export const usageCommand: Command = defineCommand({
  name: "usage",
  summary: "Shows language model usage and cost, and the budgets.",
  operands: "",
  count: [0, 0],
  options: {
    by: { type: "string", value: "<group>", help: `${groupings.join(", ")} (default: model)` },
    ...rangeOptions,
    ...pageOptions,
    json: jsonOption,
  },
  examples: [
    ["crosszone usage", "this month, by model"],
    ["crosszone usage --by person --since 7d", "the top users of the last seven days"],
    ["crosszone usage --by day --month 2026-10 --json", "each day of a month, for programs"],
  ],
  run: async ({ values: { by = "model", since, until, month, json, ...page } }, { api, stdout, stderr }) => {
    if (!isUsageGrouping(by))
      throw new UsageError(`--by must be one of ${groupings.join(", ")}.${didYouMean(by, groupings)}`);
    const query = { by, ...readRange({ since, until, month }), ...readPage(page) };
    const { usage } = api();
    const [report, { budgets }] = await Promise.all([usage.report(query), usage.budgets()]);
    stdout.write(json ? `${harmlessJson({ ...report, budgets })}\n` : usageText(report, budgets));
    if (!json) stderr.write(usageNotice(report.sum) + pageNotice(report, report.groups.length));
    return exitCodes.done;
  },
});
