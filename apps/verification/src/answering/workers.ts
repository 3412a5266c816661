import { ZoneError } from "@crosszone/contracts";
import { atMost } from "@crosszone/service-kit/timing";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import type { InboxRecord, Question, StoredAnswer } from "../inbox/records.ts";
import { slackCallMs } from "../slack/web-api.ts";
import { createWatchFailedRun } from "./failed-runs.ts";
import { createFlows, type FlowsDeps } from "./flows.ts";
import { followInputs } from "./inputs/input-feed.ts";
import { createEnqueueNotice, createQueuedNotice } from "./notices.ts";
import { answerOf } from "./questions/task-outcome.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";

interface WorkersDeps extends Omit<FlowsDeps, "background" | "enqueueNotice" | "watchFailedRun"> {
  readonly workspaces: Pick<Workspaces, "find" | "all">;
  /** Maximum number of questions processed at the same time. */
  readonly concurrency: number;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

export interface Workers {
  /** Notifies the requester if the question stays queued. Call it for each accepted record. */
  readonly accepted: (result: { readonly record?: InboxRecord; readonly queued?: true }) => void;
  /** Leases no further records, lets current work finish for `graceMs` milliseconds, then leaves the rest to the next process. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Stops, notices and rejected messages must not wait behind questions, so they have their own workers. */
const stopWorkers = 4;
const turnAwayWorkers = 4;
const noticeWorkers = 20;
const failedRunWorkers = 4;
const inputWorkers = 20;

/** Maximum wait during shutdown for tasks that were told to leave, and for background calls, milliseconds. */
const lastCallsMs = 2_000;

/** Starts the workers of the inbox: each record is judged, and allowed ones are answered, stopped or turned away. */
export function startWorkers(deps: WorkersDeps): Workers {
  const { inbox, clock, newId, concurrency, running, workspaces, messages, emit, reasonOf } = deps;
  const unawaited = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const tracked = work.finally(() => unawaited.delete(tracked));
    unawaited.add(tracked);
  };
  const enqueueNotice = createEnqueueNotice(inbox, newId);
  const watchFailedRun = createWatchFailedRun({ inbox, newId, clock });
  const stopping = new AbortController();
  const flowFor = createFlows({ ...deps, background, enqueueNotice, watchFailedRun });
  const worker = createInboxWorker({
    inbox,
    work: {
      ask: { concurrency, handle: flowFor("ask"), lastAnswer },
      stop: { concurrency: stopWorkers, handle: flowFor("stop") },
      turned_away: { concurrency: turnAwayWorkers, handle: flowFor("turned_away") },
      notice: { concurrency: noticeWorkers, handle: flowFor("notice") },
      failed_run: { concurrency: failedRunWorkers, handle: flowFor("failed_run") },
      input: { concurrency: inputWorkers, handle: flowFor("input") },
      paused_task: { concurrency: inputWorkers, handle: flowFor("paused_task") },
      press: { concurrency: inputWorkers, handle: flowFor("press") },
    },
    emit,
    onEnded: messages?.ended,
    reasonOf,
  });
  worker.start();
  background(followInputs({ ...deps, stopping: stopping.signal }));
  const noticeQueued = createQueuedNotice({ workspaces, inbox, clock, enqueueNotice, stopping: stopping.signal });

  return {
    accepted: ({ record, queued }) => {
      if (queued === true && record?.kind === "ask") background(noticeQueued(record));
    },
    stop: async (graceMs) => {
      stopping.abort();
      // A call in progress can last as long as its timeout.
      const stopped = worker.stop(graceMs + lastCallsMs, Math.max(inbox.lease.leaseMs, slackCallMs));
      await atMost(graceMs, stopped, clock);
      // No new call starts from then on.
      running.leaveAll();
      await stopped;
      await atMost(lastCallsMs, Promise.all(unawaited), clock);
    },
  };
}

/** Returns the answer to a question whose every attempt failed. */
function lastAnswer({ correlation_id }: Question): StoredAnswer {
  return answerOf({ state: "failed", error: new ZoneError("internal") }, correlation_id).answer;
}
