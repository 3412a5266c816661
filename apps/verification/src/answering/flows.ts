import { atMost } from "@crosszone/service-kit/timing";
import { UnanswerableError } from "../inbox/endings.ts";
import type { InboxRecord } from "../inbox/records.ts";
import type { Judgment } from "../policy/policies.ts";
import { traceJudgment, traceWork } from "../tracing/traces.ts";
import { statusTimeoutMs } from "../workspaces/session-status.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import type { ZoneParts } from "../workspaces/zone-parts.ts";
import { createFailedRunFlow } from "./failed-runs.ts";
import { createGate } from "./gate.ts";
import type { MessageEnds } from "./message-ends.ts";
import { createInputFlow } from "./inputs/input-flow.ts";
import { createPausedTaskFlow } from "./inputs/paused-task-flow.ts";
import { createNoticeFlow } from "./notices.ts";
import { createPressFlow } from "./interactions/press-flow.ts";
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
    stop: guard(createStopFlow(answering)),
    turned_away: guard<"turned_away">(async () => undefined),
    notice: createNoticeFlow(answering),
    failed_run: createFailedRunFlow(answering),
    input: createInputFlow(answering),
    paused_task: createPausedTaskFlow(answering),
    press: createPressFlow(answering),
  };
}

/**
 * Makes the flow that stops what a person wants stopped: the running tasks, those that wait for people, and the questions queued behind them.
 * Each one's own message says that it was stopped. A written `stop` gets a reply only if there was nothing to stop. The reply is enqueued rather than awaited, so
 * that the next stop does not wait.
 */
function createStopFlow({ workspace, inbox, running, clock, emit, enqueueNotice }: Answering): Flow<"stop"> {
  return async ({ record }) => {
    const { team_id, channel, thread_ts, whole_channel, written } = record;
    const { correlation_id, request_id, user_id, traceparent } = record;
    const target = { team_id, channel, thread_ts: whole_channel ? undefined : thread_ts };
    // Marked first, so that a question that starts now, or a process that works on one, finds the mark.
    const asked = await inbox.stop(target, record);
    running.stop(target);
    const paused = await inbox.pausedIn(target);
    const stopped = asked + (await inbox.stopPaused(paused, record));
    await inbox.wake(paused);
    const ids = { correlation_id, request_id, traceparent };
    emit("stop_requested", { ...ids, channel, thread_ts, user_id, stopped });
    if (stopped > 0) return;
    await atMost(statusTimeoutMs, workspace.session.idle(record), clock);
    if (written) await enqueueNotice(record, { to: "thread", text: "Nothing is running here." });
  };
}
