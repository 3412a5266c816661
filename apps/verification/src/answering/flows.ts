import { createTokenBuckets } from "@crosszone/service-kit";
import { atMost } from "@crosszone/service-kit/timing";
import { UnanswerableError } from "../inbox/endings.ts";
import type { InboxRecord } from "../inbox/records.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import { denialSentence, mayAsk } from "../policy/denials.ts";
import type { Judgment } from "../policy/policies.ts";
import { traceJudgment, traceWork } from "../tracing/traces.ts";
import { statusTimeoutMs } from "../workspaces/session-status.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import type { ZoneParts } from "../workspaces/zone-parts.ts";
import { createFailedRunFlow } from "./failed-runs.ts";
import type { MessageEnds } from "./message-ends.ts";
import { createInputFlow } from "./inputs/input-flow.ts";
import { createPausedTaskFlow } from "./inputs/paused-task-flow.ts";
import { createNoticeFlow } from "./notices.ts";
import { createPressFlow } from "./interactions/press-flow.ts";
import { createMarkedMessages } from "./posting/marked-messages.ts";
import { createEditPace } from "./posting/step-display.ts";
import type { Answering, Flow, ZoneAnswering } from "./questions/attempt.ts";
import { createQuestionFlow } from "./questions/question-flow.ts";
import { StreamStarts } from "./streams/start-streams.ts";
import type { StreamPace } from "./streams/stream-pace.ts";

export interface FlowsDeps extends ZoneAnswering, Pick<ZoneParts, "threads" | "tracer"> {
  readonly workspaces: { readonly find: Workspaces["find"] };
  /** Answers are not streamed when absent. */
  readonly streamPace?: StreamPace;
  /** Stores what became of messages. */
  readonly messages?: MessageEnds;
}

/** The flows of one workspace, by kind of record. */
type Flows = { readonly [K in InboxRecord["kind"]]: Flow<K> };

/**
 * Returns a function that makes the flow for a kind of record. The flow passes each record to its workspace. A record of a workspace that
 * has removed the app ends as unanswerable, because its requester can't be notified.
 */
export function createFlows(deps: FlowsDeps): <K extends InboxRecord["kind"]>(kind: K) => Flow<K> {
  const flows = new WeakMap<WorkspaceContext, Flows>();
  return <K extends InboxRecord["kind"]>(kind: K): Flow<K> =>
    (leased, lease) =>
      traceWork(deps.tracer, { ...leased.record, attempt: leased.attempt }, async () => {
        const workspace = await deps.workspaces.find(leased.record);
        if (workspace === undefined) throw new UnanswerableError("the workspace has removed the app");
        const flow: Flow<K> = flows.getOrInsertComputed(workspace, () => flowsOf(workspace, deps))[kind];
        await flow(leased, lease);
      });
}

function flowsOf(workspace: WorkspaceContext, deps: FlowsDeps): Flows {
  const { threads, streamPace, messages, clock, tracer } = deps;
  const { slack, identity, policies } = workspace;
  const judging =
    <Record extends InboxRecord>(judge: (record: Record) => Promise<Judgment>) =>
    async (record: Record): Promise<Judgment> => {
      const judgment = await traceJudgment(tracer, () => judge(record));
      messages?.judged(record, judgment);
      return judgment;
    };
  const { team_id } = identity;
  const answering: Answering = {
    ...deps,
    workspace,
    pace: createEditPace(clock),
    streams: streamPace && new StreamStarts({ slack, clock, pace: streamPace, team_id }),
    judgeFiles: judging(policies.ofFiles),
  };
  const [judge, judgeRetry] = [judging(policies.inFlow), judging(policies.onRetry)];
  const guard = createGate(answering, { judge, judgeRetry, threads });
  return {
    ask: guard(createQuestionFlow(answering)),
    stop: guard(createStopFlow(answering, threads)),
    turned_away: guard<"turned_away">(async () => undefined),
    notice: createNoticeFlow(answering),
    failed_run: createFailedRunFlow(answering),
    input: createInputFlow(answering),
    paused_task: createPausedTaskFlow(answering),
    press: createPressFlow(answering),
  };
}

const quietText = "I no longer answer in this thread. To ask me again, mention me.";

/**
 * Makes the flow that stops what a person wants stopped: the running tasks, those that wait for people, and the questions queued behind them.
 * Each one's own message says that it was stopped. A written `stop` gets a reply only if there was nothing to stop. The reply is enqueued
 * rather than awaited, so that the next stop does not wait. A deletion ends only its own question, and `quiet` ends following the thread.
 */
function createStopFlow(
  { workspace, inbox, running, clock, emit, enqueueNotice }: Answering,
  threads: ThreadStore,
): Flow<"stop"> {
  return async ({ record }) => {
    const { team_id, channel, thread_ts, whole_channel, written, withdraws } = record;
    if (record.quiets === true) {
      await threads.quiet(record);
      return enqueueNotice(record, { to: "person", text: quietText });
    }
    const { correlation_id, request_id, user_id, traceparent } = record;
    const ids = { correlation_id, request_id, traceparent, channel, thread_ts, user_id };
    if (withdraws !== undefined) {
      const open = (await inbox.openOf(withdraws)) ?? [];
      await inbox.withdraw(open, record);
      running.withdraw(open);
      await inbox.wake(open);
      return emit("stop_requested", { ...ids, stopped: open.length });
    }
    const target = { team_id, channel, thread_ts: whole_channel ? undefined : thread_ts };
    // Marked first, so that a question that starts now, or a process that works on one, finds the mark.
    const asked = await inbox.stop(target, record);
    running.stop(target);
    const paused = await inbox.pausedIn(target);
    const stopped = asked + (await inbox.stopPaused(paused, record));
    await inbox.wake(paused);
    emit("stop_requested", { ...ids, stopped });
    if (stopped > 0) return;
    await atMost(statusTimeoutMs, workspace.session.idle(record), clock);
    if (written) await enqueueNotice(record, { to: "thread", text: "Nothing is running here." });
  };
}

/** How the gate judges, and where it notes that a person has brought the app into a thread. */
interface GateRules {
  readonly judge: (record: InboxRecord) => Promise<Judgment>;
  /** Applies every rule except the rate limits, for a record that was judged before. */
  readonly judgeRetry: (record: InboxRecord) => Promise<Judgment>;
  readonly threads: ThreadStore;
}

/** How long posting a denial in the place of a placeholder is retried, milliseconds. */
const placeholderBudgetMs = 30_000;

/** Notices per person and minute. Further notices are dropped: Slack limits their rate for the whole workspace. */
const noticesPerMinute = 60;

/**
 * Makes the gate between the inbox and the flows, which passes only allowed records. A denied author gets the reason, unless the denial is
 * silent. A denied message does not bring the app into its thread, where it would answer replies. Neither does a stop. A record stays in the inbox
 * until it is judged and its notice, if any, is enqueued.
 */
function createGate(
  { workspace, clock, enqueueNotice }: Answering,
  { judge, judgeRetry, threads }: GateRules,
): <K extends InboxRecord["kind"]>(flow: Flow<K>) => Flow<K> {
  const notices = createTokenBuckets({ capacity: noticesPerMinute, perMinute: noticesPerMinute });

  return (flow) => async (leased, lease) => {
    const { record, attempt, progress } = leased;
    // A person can withdraw a question although the policy denies new ones.
    if (progress.isWithdrawn || "withdraws" in record) return flow(leased, lease);
    // A record with a placeholder or an answer was allowed before, so its requester gets the rest.
    const wasAllowed = progress.placeholder !== undefined || progress.answer !== undefined;
    const judgment: Partial<Judgment> = wasAllowed ? {} : await (attempt > 1 ? judgeRetry : judge)(record);
    const { denial, cause } = judgment;
    // An earlier attempt may have been allowed: what it shows must get its end. So this record waits for the rules.
    if (attempt > 1 && denial?.reason === "check_failed") throw cause;
    // The answer to a question joins its thread; an attempt after the first may have its answer from before.
    const joinsWithAnswer = record.kind === "ask" && attempt === 1 && denial === undefined;
    if (mayAsk(denial) && !joinsWithAnswer && record.kind !== "stop") await threads.join(record);
    if (denial === undefined) return flow(leased, lease);
    const text = denialSentence(denial, record.correlation_id);
    if (attempt > 1 && (await endPlaceholder(record, lease, text ?? "This question will not be answered."))) return;
    if (text === undefined || notices.take(`${record.team_id} ${record.user_id}`) > 0) return;
    await enqueueNotice(record, { to: "person", text });
  };

  /** A crashed worker may have allowed the question and posted a placeholder, which must not stay there. */
  async function endPlaceholder(record: InboxRecord, leave: AbortSignal, text: string): Promise<boolean> {
    const { channel, thread_ts, request_id, correlation_id } = record;
    const after = record.kind === "ask" ? record.ts : undefined;
    const messages = createMarkedMessages({
      slack: workspace.slack,
      clock,
      thread: { channel, thread_ts, after },
      leave,
    });
    const mark = { request_id, correlation_id, state: "failed" as const };
    const found = await messages.find(mark);
    if (found?.mark?.state === "working")
      await messages.replace(found.ts, { message: { text, mark }, budgetMs: placeholderBudgetMs, doubtful: true });
    return found !== undefined;
  }
}
