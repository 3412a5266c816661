import type { ZoneMethods, GetUsageResult, UsageBudget, UsageSum } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { retry } from "@crosszone/service-kit/timing";
import { createStoreRetry } from "../../inbox/endings.ts";
import { type Denial, denialSentence } from "../../policy/denials.ts";
import type { CommandRecord } from "../../policy/policy-rule.ts";
import type { SlashCommand } from "../../slack/slash-command.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { IsForApp, Workspaces } from "../../workspaces/workspaces.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import { composeAnswer } from "../markdown/compose-answer.ts";
import { agentsList } from "../sentences/agents-list.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { listSession, zoneRetry } from "../tasks/zone-calls.ts";

/** The reply to a command, absent when there is none, and the workspace that answered. */
export interface CommandAnswer {
  /** `denied` and `failed` get a reply unless the policy requires silence; `not_installed` and `wrong_app` get none. */
  readonly ending: "answered" | "denied" | "failed" | "not_installed" | "wrong_app";
  readonly reply?: string;
  readonly context?: WorkspaceContext;
  /** The error, for `failed`. */
  readonly error?: unknown;
}

export interface AnswerCommandDeps extends Pick<ZoneParts, "clock" | "limits"> {
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly zone: Client<ZoneMethods>;
}

const databaseBudgetMs = 5_000;
/** Maximum time to retry execution, milliseconds; a later answer is of no use to the person. */
const longestRetryMs = 20_000;

/** Answers one command. The policy of its workspace applies every rule, as for a message, before execution is called. Never rejects. */
export async function answerCommand(
  deps: AnswerCommandDeps,
  command: SlashCommand,
  { record, signal }: { readonly record: CommandRecord; readonly signal: AbortSignal },
): Promise<CommandAnswer> {
  const { findWorkspace, isForApp, zone, clock, limits } = deps;
  const answers: Readonly<Record<SlashCommand["command"], () => Promise<string>>> = {
    "/agents": async () => {
      const { agents } = await fromZone((call) => zone.call("list_agents", {}, call));
      return agentsList(agents, command.text);
    },
    "/usage": async () => {
      const { user_id, team_id, channel } = record;
      return usageText(await fromZone((call) => zone.call("get_usage", { user_id, team_id, channel }, call)));
    },
  };
  let context: WorkspaceContext | undefined;
  try {
    const retryStore = createStoreRetry(databaseBudgetMs);
    context = await retryStore(() => findWorkspace(command.workspace));
    if (context === undefined) return { ending: "not_installed" };
    if (!(await isForApp(command, retryStore))) return { ending: "wrong_app" };
    const { denial } = await context.policies.ofCommand(record);
    if (denial !== undefined) {
      const reply = commandDenial(denial, record.correlation_id);
      return { ending: "denied", context, reply };
    }
    return { ending: "answered", context, reply: firstMessage(await answers[command.command]()) };
  } catch (error) {
    // Before the policy allows the command, the caller may be anyone, so the reply reveals only that it failed.
    return { ending: "failed", error, reply: errorSentence(error, record.correlation_id), context };
  }

  async function fromZone<T>(ask: (call: CallOptions) => Promise<T>): Promise<T> {
    const { correlation_id: correlationId } = record;
    const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
    const budgetMs = Math.min(limits.EXECUTION_RETRY_BUDGET_MS, longestRetryMs);
    return retry(() => ask(call), zoneRetry(budgetMs, { clock, signal }));
  }
}

/** Returns the first message of an answer, which sends no notification; the rest is cut. */
function firstMessage(text: string): string {
  return composeAnswer(text, new Set()).parts[0] ?? "";
}

const unseen =
  "I am not in this conversation, so I cannot tell whether I may answer here. Please ask me directly, or in a channel that I am in.";

/**
 * Returns the reply to a denied command; undefined when the policy requires silence. A command can be typed where the app is not a member,
 * unlike a message to it. Only its author sees the reply.
 */
function commandDenial(denial: Denial, reference: string): string | undefined {
  if (denial.reason === "unknown_channel") return `${unseen}\n_Reference: ${reference}_`;
  return denialSentence(denial, reference);
}

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
  return [
    count(calls, "call"),
    `${number.format(input_tokens)} input tokens${cached}`,
    `${number.format(output_tokens)} output tokens`,
    costText(sum),
    ...(estimated_calls > 0 ? [`${number.format(estimated_calls)} of the calls estimated`] : []),
  ].join(", ");
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
