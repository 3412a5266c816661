import { ZoneError } from "@crosszone/contracts";
import { atMost } from "../time/at-most.ts";
import type { VerificationDeps } from "../deps.ts";
import { createDeskFlows, type DeskFlowsParts } from "./flows.ts";
import { createTellQueued } from "./queued-notice.ts";
import type { InboxWatch } from "../inbox/inbox-work.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import type { AskRecord, KeptAnswer } from "../inbox/inbox.ts";
import { errorFields } from "../ops/observers/error-fields.ts";
import type { IntakeResult } from "../edge/events/event-intake.ts";
import { slackCallMs } from "../slack/web-api.ts";
import { createOwe } from "./notices.ts";
import { answerOf } from "./questions/task-outcome.ts";

/** What the workers share with the rest of the app. */
export interface WorkerParts extends Omit<
  DeskFlowsParts,
  "inbox" | "threads" | "clock" | "limits" | "policy" | "streamPace" | "background" | "owe"
> {
  readonly inboxSeen: InboxWatch;
}

export interface Workers {
  /** Notifies the requester if the question stays queued. Call it for each accepted record. */
  readonly accepted: (result: IntakeResult) => void;
  /** Leases no further records, lets current work finish for `graceMs` milliseconds, then leaves the rest to the next process. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Stops, notices and rejected messages must not wait behind questions, so they have their own workers. */
const stopWorkers = 4;
const turnAwayWorkers = 4;
const noticeWorkers = 20;

/** Maximum wait during shutdown for tasks that were told to leave, and for background calls, milliseconds. */
const lastCallsMs = 2_000;

/** Starts the workers of the inbox: each record is judged, and allowed ones are answered, stopped or turned away. */
export function startWorkers(
  {
    inbox,
    threads,
    clock,
    newId,
    limits,
    policy,
    streamPace,
  }: Pick<VerificationDeps, "inbox" | "threads" | "clock" | "newId" | "limits" | "policy" | "streamPace">,
  parts: WorkerParts,
): Workers {
  const { inboxSeen, ...shared } = parts;
  const { running } = shared;
  const unawaited = new Set<Promise<void>>();
  const background = (work: Promise<void>): void => {
    const kept = work.finally(() => unawaited.delete(kept));
    unawaited.add(kept);
  };
  const owe = createOwe({ inbox, newId });
  const { concurrency } = limits;
  const at = createDeskFlows({ ...shared, inbox, threads, clock, limits, policy, streamPace, background, owe });
  const lastAnswer = ({ correlation_id }: AskRecord): KeptAnswer =>
    answerOf({ state: "failed", error: new ZoneError("internal") }, correlation_id);
  const worker = createInboxWorker({
    inbox,
    work: {
      ask: { concurrency, handle: at("ask"), lastAnswer },
      stop: { concurrency: stopWorkers, handle: at("stop") },
      turned_away: { concurrency: turnAwayWorkers, handle: at("turned_away") },
      notice: { concurrency: noticeWorkers, handle: at("notice") },
    },
    watch: inboxSeen,
    reasonOf: (error) => errorFields(error).kind,
  });
  worker.start();
  const stopping = new AbortController();
  const tellQueued = createTellQueued({ desks: shared.desks, inbox, clock, owe, stopping: stopping.signal });

  return {
    accepted: ({ record, queued }) => {
      if (queued === true && record?.kind === "ask") background(tellQueued(record));
    },
    stop: async (graceMs) => {
      stopping.abort();
      // A call in progress can last as long as its timeout.
      const stopped = worker.stop(graceMs + lastCallsMs, Math.max(inbox.leaseMs, slackCallMs));
      await atMost(graceMs, stopped, clock);
      // No new call starts from then on.
      running.leaveAll();
      await stopped;
      await atMost(lastCallsMs, Promise.all(unawaited), clock);
    },
  };
}
