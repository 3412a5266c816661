import { randomUUID } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import { type Emit, emitWith } from "@crosszone/service-kit";
import { atMost } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { KnownBlock } from "@slack/web-api";
import { help, scheduleBlocks, usageText } from "../cards/home-view.ts";
import { modalView } from "../cards/input-modals.ts";
import { handleText } from "../cards/presses.ts";
import { scheduleModal } from "../cards/schedules.ts";
import { createStoreRetry } from "../inbox/record-ends.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { denialSentence } from "../policy/denials.ts";
import type { CommandRecord } from "../policy/rules.ts";
import { agentsList } from "../showing/agents-list.ts";
import { tellPerson } from "../showing/workplace.ts";
import { errorSentence } from "../showing/error-sentences.ts";
import { composeAnswer } from "../showing/markdown/compose-answer.ts";
import type { SlashCommand } from "../slack/interaction.ts";
import { notificationOf } from "../slack/notation.ts";
import { ResponseUrlError, type ResponseUrls } from "../slack/response-urls.ts";
import { traceWork } from "../workspaces/traces.ts";
import type { IsForApp, WorkspaceContext, Workspaces } from "../workspaces/workspaces.ts";

const databaseBudgetMs = 5_000;
/** Maximum time to retry execution, milliseconds; a later answer is of no use to the person. */
const longestRetryMs = 20_000;

/**
 * Answers one command. The policy of its workspace applies every rule, as for a message, before execution is called. A denied or failed one
 * gets a reply unless the policy requires silence; an `ending` for which this app is not responsible gets none. Never rejects.
 */
async function answerCommand(
  { findWorkspace, isForApp, link }: CommandsDeps,
  command: SlashCommand,
  { record, signal }: { readonly record: CommandRecord; readonly signal: AbortSignal },
) {
  const call = { signal, correlationId: record.correlation_id };
  const retries = { signal, mostMs: longestRetryMs };
  const { user_id, team_id, channel, correlation_id: id } = record;
  const answers: Readonly<Record<string, (workspace: WorkspaceContext) => Promise<Reply>>> = {
    "/agents schedule": async (workspace) => {
      const parts = await scheduleModal({ link, workspace, user_id, channel });
      if (parts === undefined) return { text: agentsList([]) };
      const modal = modalView(parts, handleText({ verb: "schedule", id }), { channel });
      await workspace.slack.openModal(command.trigger_id, modal);
      return {};
    },
    "/agents schedules": async () => {
      const { schedules } = await link.retry(() => link.call("list_schedules", { user_id, team_id }, call), retries);
      const text = schedules.length === 0 ? "You have no schedules. `/agents schedule` makes one." : "Your schedules:";
      return { text, below: scheduleBlocks(schedules, id) };
    },
    "/agents help": async () => ({ text: help }),
    "/agents": async () => {
      const { agents } = await link.retry(() => link.call("list_agents", {}, call), retries);
      return { text: agentsList(agents, command.text) };
    },
    "/usage": async () => {
      const usage = await link.retry(() => link.call("get_usage", { user_id, team_id, channel }, call), retries);
      return { text: usageText(usage) };
    },
  };
  const words = `${command.command} ${command.text.trim().toLowerCase()}`;
  let context: WorkspaceContext | undefined;
  try {
    const retryStore = createStoreRetry(databaseBudgetMs);
    context = await retryStore(() => findWorkspace(command.workspace));
    if (context === undefined) return { ending: "not_installed" };
    if (!(await isForApp(command, retryStore))) return { ending: "wrong_app" };
    const { denial } = await context.policies.ofCommand(record);
    if (denial !== undefined) {
      // Unlike a message, a command can be typed where the app is not a member. Only its author sees the reply.
      const isUnseen = denial.reason === "unknown_channel";
      return {
        ending: "denied",
        context,
        reply: isUnseen ? `${unseen}\n_Reference: ${id}_` : denialSentence(denial, id),
      };
    }
    const { text, below } = (await (answers[words] ?? answers[command.command])?.(context)) ?? {};
    // Its first message sends no notification; the rest is cut.
    return { ending: "answered", context, reply: text && composeAnswer(text, new Set()).parts[0], below };
  } catch (error) {
    // Before the policy allows the command, the caller may be anyone, so the reply reveals only that it failed.
    return { ending: "failed", error, reply: errorSentence(error, record.correlation_id), context };
  }
}

/** What a command says, as Markdown, with blocks below; empty if it has opened a modal. */
interface Reply {
  readonly text?: string;
  readonly below?: readonly KnownBlock[];
}

type CommandAnswer = Awaited<ReturnType<typeof answerCommand>>;

const unseen =
  "I am not in this conversation, so I cannot tell whether I may answer here. Please ask me directly, or in a channel that I am in.";

export interface CommandsDeps {
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly link: ZoneLink;
  readonly emit: Emit<VerificationEvent>;
  readonly tracer: Tracer;
  readonly responseUrls: ResponseUrls;
  /** The app that commands must be for. When absent, the app is checked after the command is acknowledged. */
  readonly appId: string | undefined;
}

/** Commands that run at the same time. A further command gets a reply that asks the user to try again later. */
const mostAtOnce = 100;
/** How long an interrupted command can take to send its last reply, milliseconds. */
const lastWordsMs = 2_000;

const busy = "I have too much to do right now. Please try again in a moment.";
const stopping = "I am restarting. Please try again in a moment.";

/**
 * Answers slash commands. Slack waits three seconds for an acknowledgment and never retries, so commands are acknowledged at once. The
 * answer always goes to the `response_url`, never into the HTTP response: the request may be a replay of a recorded one.
 */
export function createCommands(deps: CommandsDeps) {
  const { appId, link, tracer } = deps;
  const { clock } = link;
  const underWay = new Set<Promise<void>>();
  const over = new AbortController();
  let isClosed = false;

  async function run(command: SlashCommand, record: CommandRecord, emit: CommandsDeps["emit"]): Promise<void> {
    const startedAt = performance.now();
    const answering = () => answerCommand(deps, command, { record, signal: over.signal });
    const answer = await traceWork(tracer, record, answering);
    await tell(command.response_url, record, { answer, emit });
    const duration_ms = performance.now() - startedAt;
    emit("command_ended", { verdict: answer.ending, duration_ms, failure: answer.error });
  }

  /** If Slack rejects the answer at the URL, the person reads it in the conversation if the app is in it, else in a direct message. */
  async function tell(
    responseUrl: string,
    record: CommandRecord,
    { answer, emit }: { readonly answer: CommandAnswer; readonly emit: CommandsDeps["emit"] },
  ): Promise<void> {
    const { reply, context, below } = answer;
    if (reply === undefined) return;
    try {
      await deps.responseUrls.answer(responseUrl, reply, { below });
    } catch (error) {
      const code = error instanceof ResponseUrlError && { code: error.code };
      emit("command_answer_not_taken", { failure: error, ...code });
      const place = { channel: record.channel, user_id: record.user_id, thread_ts: "", in_thread: false };
      const blocks: readonly KnownBlock[] = [{ type: "markdown", text: reply }, ...(below ?? [])];
      const said = { text: notificationOf(reply), blocks, ids: record };
      const told = context === undefined ? Promise.reject(error) : tellPerson(context.slack, place, said);
      await told.catch((failure: unknown) => emit("command_answer_lost", { failure }));
    }
  }

  return {
    /**
     * Accepts a command without network calls. Returns what the acknowledgment says: nothing, why the command is not run, or a refusal. The
     * answer goes to its `response_url` later.
     */
    take: (
      command: SlashCommand,
      { traceparent }: { readonly traceparent?: string | undefined },
    ): { readonly refused?: "wrong_app"; readonly say?: string } => {
      const record = recordOf(command, clock.now(), traceparent);
      const { correlation_id, request_id, user_id, channel, team_id } = record;
      const emit = emitWith(deps.emit, { correlation_id, request_id, traceparent, user_id, channel, team_id });
      if (appId !== undefined && command.api_app_id !== appId) {
        emit("command_refused", { reason: "wrong_app" });
        return { refused: "wrong_app" };
      }
      if (isClosed || underWay.size >= mostAtOnce) {
        emit("command_refused", { reason: "busy" });
        return { say: isClosed ? stopping : busy };
      }
      const work = run(command, record, emit).finally(() => underWay.delete(work));
      underWay.add(work);
      return {};
    },
    /** Waits up to `graceMs` milliseconds for open commands. The remaining ones get a reply that Crosszone is restarting. */
    stop: async (graceMs: number): Promise<void> => {
      isClosed = true;
      await atMost(graceMs, Promise.all(underWay), clock);
      over.abort(new ZoneError("shutting_down"));
      await atMost(lastWordsMs, Promise.all(underWay), clock);
    },
  };
}

export type Commands = ReturnType<typeof createCommands>;

function recordOf(
  { workspace, user_id, channel_id }: SlashCommand,
  received_at: number,
  traceparent: string | undefined,
): CommandRecord {
  return {
    kind: "command",
    request_id: randomUUID(),
    correlation_id: randomUUID(),
    traceparent,
    ...workspace,
    teams: [workspace.team_id],
    author_teams: [],
    user_id,
    channel: channel_id,
    received_at,
  };
}
