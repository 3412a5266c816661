import type { GetUsageResult, UsageBudget, UsageSum } from "@crosszone/contracts";

const number = new Intl.NumberFormat("en-US");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

const owners: Readonly<Record<UsageBudget["scope"], string>> = {
  person: "You",
  channel: "This channel",
  team: "Your team",
  agent: "The assistant",
};

/** Returns a person's usage of language models, and the budgets that apply to the person, as Markdown. */
export function usageText({ day: today, month, budgets }: GetUsageResult): string {
  const sums = [`- **Today:** ${sumText(today)}`, `- **This month:** ${sumText(month)}`];
  const limits = budgets.map((budget) => `- ${budgetText(budget)}`).join("\n");
  return [
    `Your language model usage (days and months are in UTC):\n${sums.join("\n")}`,
    limits === "" ? "No budget applies to you." : `Budgets that apply to you:\n${limits}`,
  ].join("\n\n");
}

function sumText(sum: UsageSum): string {
  const { calls, estimated_calls, input_tokens, output_tokens, cached_input_tokens } = sum;
  if (calls === 0) return "nothing";
  const cached = cached_input_tokens > 0 ? ` (${number.format(cached_input_tokens)} cached)` : "";
  const tokens = `${number.format(input_tokens)} input tokens${cached}, ${number.format(output_tokens)} output tokens`;
  const estimated = estimated_calls > 0 ? `, ${number.format(estimated_calls)} of the calls estimated` : "";
  return `${count(calls, "call")}, ${tokens}, ${costText(sum)}${estimated}`;
}

function costText({ calls, unpriced_calls, cost }: UsageSum): string {
  if (cost === null) return "cost unknown";
  const unknown =
    unpriced_calls > 0 && unpriced_calls < calls ? `, plus ${count(unpriced_calls, "call")} of unknown cost` : "";
  return `${dollars(cost)}${unknown}`;
}

function budgetText(budget: UsageBudget): string {
  const { scope, period, limit, used, resets_at } = budget;
  const head = `**${owners[scope]}, each ${period}:** ${amount(budget, limit)}`;
  const state =
    used === undefined
      ? ", shared with others"
      : `, ${Math.round((100 * used) / limit)}% used, ${amount(budget, Math.max(0, limit - used))} left`;
  return `${head}${state}. Resets on ${day.format(Date.parse(resets_at))} at 00:00 UTC.`;
}

function amount({ unit }: UsageBudget, value: number): string {
  return unit === "usd" ? dollars(value) : `${number.format(value)} tokens`;
}

/** Amounts below a cent have four digits, because many small calls add up. */
const dollars = (value: number): string => `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;

const count = (value: number, noun: string): string => `${number.format(value)} ${noun}${value === 1 ? "" : "s"}`;
