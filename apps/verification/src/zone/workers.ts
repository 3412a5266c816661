import { ZoneError } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { atMost } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { followFires } from "../asking/fires.ts";
import { noticeIfQueued, noticeLateEdit } from "../asking/notices.ts";
import { reportMessages } from "../asking/report-messages.ts";
import { followInputs } from "../cards/input-feed.ts";
import type { IntakeResult } from "../edge/event-intake.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import type { Question, StoredAnswer } from "../inbox/records.ts";
import { answerOfOutcome } from "../showing/task-outcome.ts";
import { slackCallMs } from "../slack/web-api.ts";
import { errorFields } from "../workspaces/traces.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import { createFlows, type FlowsDeps } from "./flows.ts";

interface WorkersDeps extends FlowsDeps {
  readonly allWorkspaces: Workspaces["all"];
  readonly emit: Emit<VerificationEvent>;
}

/** Stops, notices and rejected messages must not wait behind questions, so they have their own workers. */
const [few, many] = [4, 20];

/** Maximum wait during shutdown for tasks that were told to leave, and for background calls, milliseconds. */
const lastCallsMs = 2_000;

/** Makes the workers of the inbox: each record is judged, and allowed ones are answered, stopped or turned away. */
export function createWorkers(deps: WorkersDeps) {
  const { inbox, link, running, messages, findWorkspace, emit } = deps;
  const stopping = new AbortController();
  const flowFor = createFlows(deps);
  const worker = createInboxWorker({
    inbox,
    work: {
      ask: { concurrency: link.limits.MAX_QUESTIONS, handle: flowFor("ask"), lastAnswer },
      stop: { concurrency: few, handle: flowFor("stop") },
      turned_away: { concurrency: few, handle: flowFor("turned_away") },
      missed: { concurrency: few, handle: flowFor("missed") },
      notice: { concurrency: many, handle: flowFor("notice") },
      failed_run: { concurrency: few, handle: flowFor("failed_run") },
      input: { concurrency: many, handle: flowFor("input") },
      paused_task: { concurrency: many, handle: flowFor("paused_task") },
      press: { concurrency: many, handle: flowFor("press") },
      home: { concurrency: many, handle: flowFor("home") },
      fire: { concurrency: many, handle: flowFor("fire") },
      kept_message: { concurrency: few, handle: flowFor("kept_message") },
    },
    emit,
    alsoStored: messages?.ended,
    reasonOf: (error) => errorFields(error).kind,
  });
  return {
    start: (): void => {
      worker.start();
      link.background(followInputs({ ...deps, stopping: stopping.signal }));
      link.background(followFires({ ...deps, stopping: stopping.signal }));
      if (messages !== undefined) link.background(reportMessages({ ...deps, messages, stopping: stopping.signal }));
    },
    /** Notifies the requester if the question stays queued, or an edit of it came too late. */
    accepted: ({ record, queued, late }: IntakeResult): void => {
      if (late === true && record !== undefined) link.background(noticeLateEdit({ inbox, findWorkspace }, record));
      if (queued !== true || record?.kind !== "ask") return;
      link.background(noticeIfQueued({ inbox, findWorkspace, clock: link.clock }, record, stopping.signal));
    },
    /** Leases no further records, lets current work finish for `graceMs` milliseconds, then leaves the rest to the next process. */
    stop: async (graceMs: number): Promise<void> => {
      stopping.abort();
      // A call in progress can last as long as its timeout.
      const stopped = worker.stop(graceMs + lastCallsMs, Math.max(inbox.jobs.lease.leaseMs, slackCallMs));
      await atMost(graceMs, stopped, link.clock);
      // No new call starts from then on.
      running.leaveAll();
      await stopped;
      await link.settled(lastCallsMs);
    },
  };
}

export type Workers = ReturnType<typeof createWorkers>;

/** Returns the answer to a question whose every attempt failed. */
function lastAnswer({ correlation_id }: Question): StoredAnswer {
  return answerOfOutcome({ state: "failed", error: new ZoneError("internal") }, correlation_id).answer;
}
