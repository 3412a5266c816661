import type { ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { composeAnswer } from "../markdown/compose-answer.ts";
import type { Clock } from "../../time/clock.ts";
import type { Desk } from "../../workspaces/workspace-context.ts";
import type { Desks } from "../../workspaces/workspaces.ts";
import type { IsForApp } from "../../workspaces/is-for-app.ts";
import { createInsistence } from "../../inbox/insistence.ts";
import type { SlashCommand } from "../../slack/slash-command.ts";
import { agentsList } from "../sentences/agents-list.ts";
import { listSession } from "../questions/answer-question.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { retrying } from "../../time/retry.ts";
import type { TaskTimes } from "../tasks/run-task.ts";
import { zonePatience } from "../tasks/zone-retry.ts";
import { commandDenial } from "./command-denial.ts";
import type { CommandRecord } from "../../policy/command-record.ts";
import { usageText } from "../sentences/usage-text.ts";

/** How a command ended. `denied` and `failed` get a reply unless the policy requires silence; `not_installed` and `wrong_app` get none. */
export type CommandEnding = "answered" | "denied" | "failed" | "not_installed" | "wrong_app";

/** The reply to a command, absent when there is none, and the desk that answered. */
export interface CommandAnswer {
  readonly ending: CommandEnding;
  readonly reply?: string;
  readonly desk?: Desk;
  /** The error, for `failed`. */
  readonly error?: unknown;
}

export interface AnswerCommandDeps {
  readonly desks: Pick<Desks, "of">;
  readonly isForApp: IsForApp;
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly times: Pick<TaskTimes, "callTimeoutMs" | "retryBudgetMs">;
}

const databaseBudgetMs = 5_000;
/** Maximum time to retry execution, milliseconds; a later answer is of no use to the person. */
const longestPatienceMs = 20_000;

/** Answers one command. The policy of its workspace applies every rule, as for a message, before execution is called. Never rejects. */
export async function answerCommand(
  deps: AnswerCommandDeps,
  command: SlashCommand,
  { record, signal }: { readonly record: CommandRecord; readonly signal: AbortSignal },
): Promise<CommandAnswer> {
  const { zone } = deps;
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
  let desk: Desk | undefined;
  try {
    const insist = createInsistence(databaseBudgetMs);
    desk = await insist(() => deps.desks.of(command.workspace));
    if (desk === undefined) return { ending: "not_installed" };
    if (!(await deps.isForApp(command, insist))) return { ending: "wrong_app" };
    const { denial } = await desk.policies.ofCommand(record);
    if (denial !== undefined) {
      const reply = commandDenial(denial, record.correlation_id);
      return { ending: "denied", desk, ...(reply !== undefined && { reply }) };
    }
    return { ending: "answered", desk, reply: firstMessage(await answers[command.command]()) };
  } catch (error) {
    // Before the policy allows the command, the caller may be anyone, so the reply reveals only that it failed.
    return { ending: "failed", error, reply: errorSentence(error, record.correlation_id), ...(desk && { desk }) };
  }

  async function fromZone<T>(ask: (call: CallOptions) => Promise<T>): Promise<T> {
    const { clock, times } = deps;
    const call = { signal, session: listSession, correlationId: record.correlation_id, timeoutMs: times.callTimeoutMs };
    const budgetMs = Math.min(times.retryBudgetMs, longestPatienceMs);
    return retrying(() => ask(call), zonePatience(budgetMs, { clock, signal, onRetry: () => undefined }));
  }
}

/** Returns the first message of an answer, which sends no notification; the rest is cut. */
function firstMessage(text: string): string {
  return composeAnswer(text, new Set()).parts[0] ?? "";
}
