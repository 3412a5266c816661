import { ZoneError } from "@crosszone/contracts";
import { emitWith } from "@crosszone/service-kit";
import { atMost } from "@crosszone/service-kit/timing";
import { traceWork } from "../../tracing/traces.ts";
import type { SlashCommand } from "../../slack/slash-command.ts";
import { answerCommand, type AnswerCommandDeps, type CommandAnswer } from "./answer-command.ts";
import type { CommandRecord } from "../../policy/policy-rule.ts";
import { ResponseUrlError, type ResponseUrls } from "../../slack/response-urls.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";

/** The immediate reply to a command, sent with the acknowledgment: nothing, the reason why it is not run, or a refusal. */
type CommandTaken =
  { readonly refused?: never; readonly say?: string } | { readonly refused: "wrong_app"; readonly say?: never };

export interface Commands {
  /** Accepts a command without network calls. The answer goes to its `response_url` later. */
  readonly take: (command: SlashCommand, delivered: { readonly traceparent?: string | undefined }) => CommandTaken;
  /** Waits up to `graceMs` milliseconds for open commands. The remaining ones get a reply that Crosszone is restarting. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export interface CommandsDeps extends AnswerCommandDeps, Pick<ZoneParts, "newId" | "emit" | "tracer"> {
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
export function createCommands(deps: CommandsDeps): Commands {
  const { responseUrls, appId, clock, newId, tracer } = deps;
  const underWay = new Set<Promise<void>>();
  const over = new AbortController();
  let closed = false;

  async function run(command: SlashCommand, record: CommandRecord, emit: CommandsDeps["emit"]): Promise<void> {
    const startedAt = performance.now();
    const answer = await traceWork(tracer, record, () => answerCommand(deps, command, { record, signal: over.signal }));
    await tell(command.response_url, record, { answer, emit });
    const duration_ms = performance.now() - startedAt;
    emit("command_ended", { verdict: answer.ending, duration_ms, failure: answer.error });
  }

  /** If Slack rejects the answer at the URL, it is posted with the Web API, which works in conversations that the app is in. */
  async function tell(
    responseUrl: string,
    record: CommandRecord,
    { answer, emit }: { readonly answer: CommandAnswer; readonly emit: CommandsDeps["emit"] },
  ): Promise<void> {
    const { reply, context } = answer;
    if (reply === undefined) return;
    try {
      await responseUrls.answer(responseUrl, reply);
    } catch (error) {
      const code = error instanceof ResponseUrlError && { code: error.code };
      emit("command_answer_not_taken", { failure: error, ...code });
      const place = { channel: record.channel, user_id: record.user_id, thread_ts: "", in_thread: false };
      const told = context === undefined ? Promise.reject(error) : context.slack.tell(place, reply);
      await told.catch((failure: unknown) => emit("command_answer_lost", { failure }));
    }
  }

  return {
    take: (command, { traceparent }) => {
      const record = recordOf(command, { now: clock.now(), newId, traceparent });
      const { correlation_id, request_id, user_id, channel, team_id } = record;
      const emit = emitWith(deps.emit, { correlation_id, request_id, traceparent, user_id, channel, team_id });
      if (appId !== undefined && command.api_app_id !== appId) {
        emit("command_refused", { reason: "wrong_app" });
        return { refused: "wrong_app" };
      }
      if (closed || underWay.size >= mostAtOnce) {
        emit("command_refused", { reason: "busy" });
        return { say: closed ? stopping : busy };
      }
      const work = run(command, record, emit).finally(() => underWay.delete(work));
      underWay.add(work);
      return {};
    },
    stop: async (graceMs) => {
      closed = true;
      await atMost(graceMs, Promise.all(underWay), clock);
      over.abort(new ZoneError("shutting_down"));
      await atMost(lastWordsMs, Promise.all(underWay), clock);
    },
  };
}

function recordOf(
  { workspace, user_id, channel_id }: SlashCommand,
  { now, newId, traceparent }: { now: number; newId: () => string; traceparent: string | undefined },
): CommandRecord {
  return {
    kind: "command",
    request_id: newId(),
    correlation_id: newId(),
    traceparent,
    ...workspace,
    teams: [workspace.team_id],
    author_teams: [],
    user_id,
    channel: channel_id,
    received_at: now,
  };
}
