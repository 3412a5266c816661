import { isTokenScope, isUsageGrouping, type UsageBudget, type UsageReport, type UsageSum } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import {
  namesOf,
  pageNotice,
  pageOptions,
  rangeOptions,
  readLifetime,
  readName,
  readPage,
  readRange,
} from "../program/options.ts";
import { UsageError } from "../program/session.ts";
import { fit, harmlessLine, momentText, table } from "../text/terminal-text.ts";

export const usageCommand: Command = defineCommand({
  name: "usage",
  summary: "Shows language model usage and cost, and the budgets.",
  options: {
    by: { flags: "--by <group>", help: `${namesOf(isUsageGrouping).join(", ")} (default: model)` },
    ...rangeOptions,
    ...pageOptions,
    json: jsonOption,
  },
  examples: [
    ["crosszone usage", "this month, by model"],
    ["crosszone usage --by person --since 7d", "the top users of the last seven days"],
    ["crosszone usage --by day --month 2026-10 --json", "each day of a month, for programs"],
  ],
  run: async ({ values: { by = "model", ...values } }, { api }) => {
    const query = { by: readName("--by", by, isUsageGrouping), ...readRange(values), ...readPage(values) };
    const { usage } = api();
    const [report, { budgets, names = {} }] = await Promise.all([usage.report(query), usage.budgets()]);
    const notice = usageNotice(report.sum) + pageNotice(report, report.groups.length);
    const named = budgets.map((one) => ({ ...one, subject: names[one.subject ?? ""] ?? one.subject }));
    return { json: { ...report, budgets }, text: usageText(report, named), notice };
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

export const createToken: Command = defineCommand({
  name: "tokens create",
  summary: "Creates an API token and prints it. The zone can't show it again.",
  options: {
    name: { flags: "--name <name>", help: "names its holder wherever an actor is shown" },
    scope: {
      flags: "--scope <scope>",
      multiple: true,
      help: `repeat it or use commas: ${namesOf(isTokenScope).join(", ")}`,
    },
    expires: { flags: "--expires <time>", help: "lifetime, such as 30d or 12h" },
    json: jsonOption,
  },
  examples: [["crosszone tokens create --name ci --scope ask,runs:read --expires 30d", "a token for a program"]],
  run: async ({ values: { name, scope = [], expires } }, { api }) => {
    if (name === undefined || expires === undefined || scope.length === 0)
      throw new UsageError("--name, --scope and --expires are required.");
    const expires_in = readLifetime("--expires", expires);
    const scopes = scope.flatMap((text) => text.split(",")).map((one) => readName("--scope", one, isTokenScope));
    const created = await api().tokens.create({ name, scopes, expires_in });
    const { scopes: given, expires_at } = created.api_token;
    const notice = `${name}: ${given.join(", ")}, until ${expires_at}. Store the token now; it is not shown again.\n`;
    return { json: created, text: `${harmlessLine(created.token)}\n`, notice };
  },
});

export const listTokens: Command = defineCommand({
  name: "tokens list",
  summary: "Lists the live API tokens.",
  options: { json: jsonOption },
  examples: [["crosszone tokens", "who can use the API"]],
  run: async (_, { api }) => {
    const list = await api().tokens.list();
    const rows = list.tokens.map((token) => {
      const { name, created_by, expires_at, stored_bytes = 0, last_used_at = "never", last_used_from: from } = token;
      const stored = stored_bytes === 0 ? "" : `${(stored_bytes / 1_000_000).toFixed(1)} MB`;
      const used = [last_used_at, harmlessLine(from?.address ?? "")];
      return [name, token.scopes.join(","), created_by, expires_at, ...used, stored];
    });
    const head = ["TOKEN", "SCOPES", "CREATED BY", "EXPIRES", "LAST USED", "FROM", "STORED"];
    return { json: list, text: { head, rows, none: "No API tokens." } };
  },
});

export const showToken: Command = defineCommand({
  name: "tokens show",
  summary: "Lists the days, addresses and clients that used a token, latest first. Also for a revoked one.",
  operands: ["<name>"],
  options: { limit: pageOptions.limit, json: jsonOption },
  examples: [
    ["crosszone tokens show ci", "who used this token, and from where"],
    ["crosszone tokens show 'subject:https://login.example.com robot'", "the same for a subject of an issuer"],
  ],
  run: async ({ values, operands: [name = ""] }, { api, stdout }) => {
    const { limit } = readPage(values);
    const list = await api().tokens.uses({ actor: /:|^bootstrap$/.test(name) ? name : `token:${name}`, limit });
    const rows = list.uses.map(({ day, address, client, uses, first_at, last_at }) => [
      day,
      harmlessLine(address),
      String(uses),
      momentText(first_at, stdout),
      momentText(last_at, stdout),
      harmlessLine(client),
    ]);
    const head = ["DAY", "ADDRESS", "USES", "FIRST", "LAST", "CLIENT"];
    return { json: list, text: { head, rows, none: "No uses." } };
  },
});

export const revokeToken: Command = defineCommand({
  name: "tokens revoke",
  summary: "Revokes an API token. The zone rejects its next request.",
  operands: ["<name>"],
  examples: [["crosszone tokens revoke ci", "by its name"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    await api().tokens.revoke(name);
    return { text: `Revoked: ${harmlessLine(name)}.\n` };
  },
});
