import type { RecordAct } from "@crosszone/audit";
import { ZoneError } from "@crosszone/contracts";
import { createTokenBuckets, type Emit } from "@crosszone/service-kit";
import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { QuestionDesk } from "../asking/answer-question.ts";
import { createPausedTaskFlow, workOnFailedRun } from "../asking/failed-runs.ts";
import { createFireFlow, followFires, tellOwner } from "../asking/fires.ts";
import type { MessageEnds } from "../asking/message-ends.ts";
import { tellWhoDecides, workOnNotice } from "../asking/notices.ts";
import { workOnQuestion } from "../asking/question-flow.ts";
import { reportMessages } from "../asking/report-messages.ts";
import { followInputs } from "../cards/input-feed.ts";
import { createHomeFlow } from "../cards/show-home.ts";
import { workOnInput } from "../cards/show-input.ts";
import type { IntakeResult } from "../edge/event-intake.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { ReleasedError, UnanswerableError } from "../inbox/record-ends.ts";
import { type InboxRecord, keptMs, type Question, type StopRecord, type StoredAnswer } from "../inbox/records.ts";
import type { QuestionTasks } from "../inbox/running-tasks.ts";
import type { RatingStore } from "../inbox/rating-store.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { denialSentence, authorMayAsk } from "../policy/denials.ts";
import type { Judgment } from "../policy/policies.ts";
import { enqueueNotice, type Flow, type Workplace } from "../showing/workplace.ts";
import { createMarkedMessages } from "../showing/marked-messages.ts";
import { type PressDesk, type Pressers, workOnPress } from "../cards/press-flow.ts";
import { createEditPace } from "../showing/step-display.ts";
import { type StreamPace, createStreamStarts } from "../showing/streams/streams.ts";
import { answerOfOutcome } from "../showing/task-outcome.ts";
import { slackCallMs } from "../slack/web-api.ts";
import { errorFields, traceJudgment, traceWork } from "../workspaces/traces.ts";
import { statusTimeoutMs, type WorkspaceContext, type Workspaces } from "../workspaces/workspaces.ts";

interface WorkersDeps {
  readonly findWorkspace: Workspaces["find"];
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly ratings: RatingStore;
  readonly link: ZoneLink;
  readonly running: QuestionTasks;
  readonly pressers: Pressers;
  readonly recordAct: RecordAct;
  readonly tracer: Tracer;
  readonly streamPace?: StreamPace;
  readonly messages?: MessageEnds;
  readonly operatorChannel?: string | undefined;
  readonly allWorkspaces: Workspaces["all"];
  readonly emit: Emit<VerificationEvent>;
}

/** The flows of one workspace, by kind of record. */
type Flows = { readonly [K in InboxRecord["kind"]]: Flow<K> };

/**
 * Returns a function that makes the flow for a kind of record. The flow passes each record to its workspace. A record of a workspace that
 * has removed the app ends as unanswerable, because its requester can't be notified.
 */
function createFlows(deps: WorkersDeps): <K extends InboxRecord["kind"]>(kind: K) => Flow<K> {
  const flows = new WeakMap<WorkspaceContext, Flows>();
  return <K extends InboxRecord["kind"]>(kind: K): Flow<K> =>
    (leased, lease) =>
      traceWork(deps.tracer, { ...leased.record, attempt: leased.attempt }, async () => {
        const workspace = await deps.findWorkspace(leased.record);
        if (workspace === undefined) throw new UnanswerableError("the workspace has removed the app");
        const flow: Flow<K> = flows.getOrInsertComputed(workspace, () => flowsOf(workspace, deps))[kind];
        await flow(leased, AbortSignal.any([lease, deps.running.leaving]));
      });
}

function flowsOf(workspace: WorkspaceContext, deps: WorkersDeps): Flows {
  const { inbox, threads, ratings, link, running, pressers, recordAct, streamPace, messages, tracer } = deps;
  const { operatorChannel } = deps;
  const { slack, identity, policies, clock } = workspace;
  const judging =
    <Record extends InboxRecord>(judge: (record: Record) => Promise<Judgment>) =>
    async (record: Record): Promise<Judgment> => {
      const judgment = await traceJudgment(tracer, () => judge(record));
      messages?.judged(record, judgment);
      return judgment;
    };
  const { team_id } = identity;
  const desk: Workplace = { workspace, inbox, link, running, operatorChannel, onPosted: messages?.posted };
  const questions: QuestionDesk = {
    ...desk,
    pace: createEditPace(clock),
    streams: streamPace && createStreamStarts({ slack, clock, pace: streamPace, team_id }),
    judgeFiles: judging(policies.ofFiles),
  };
  const presses: PressDesk = { ...desk, pressers, ratings, recordAct };
  const [judge, judgeRetry] = [judging(policies.inFlow), judging(policies.onRetry)];
  const guard = createGate(desk, { judge, judgeRetry, threads });
  return {
    ask: guard((...given) => workOnQuestion(questions, ...given)),
    stop: guard(({ record }) => stopTasks(desk, threads, record)),
    turned_away: guard((...given) => tellWhoDecides(desk, ...given)),
    missed: async ({ record }) => {
      const { denial, cause } = await judgeRetry(record);
      if (denial?.reason === "check_failed") throw cause;
      if (authorMayAsk(denial)) await threads.join(record);
    },
    notice: (...given) => workOnNotice(desk, ...given),
    failed_run: (...given) => workOnFailedRun(desk, ...given),
    input: (...given) => workOnInput(desk, ...given),
    paused_task: createPausedTaskFlow(desk),
    home: createHomeFlow(desk),
    fire: guard(createFireFlow(desk)),
    press: (...given) => workOnPress(presses, ...given),
    kept_message: async ({ record }) => {
      const leftMs = record.received_at + keptMs - clock.now();
      if (leftMs > 0) throw new ReleasedError("its form may be open", leftMs);
    },
  };
}

const quietText = "I no longer answer in this thread. To ask me again, mention me.";

/**
 * Stops what a person wants stopped: the running tasks, those that wait for people, and the questions queued behind them. Each one's own message
 * says that it was stopped. A written `stop` gets a reply only if there was nothing to stop. The reply is enqueued rather than awaited, so that
 * the next stop does not wait. A deletion ends only its own question, and `quiet` ends following the thread.
 */
async function stopTasks(
  { workspace, inbox, running }: Workplace,
  threads: ThreadStore,
  record: StopRecord,
): Promise<void> {
  const { team_id, channel, thread_ts, whole_channel, written, withdraws } = record;
  if (record.quiets === true) {
    await threads.quiet(record);
    return enqueueNotice(inbox, record, { to: "person", text: quietText });
  }
  const { session, clock, emit } = workspace;
  const { correlation_id, request_id, user_id, traceparent } = record;
  const ids = { correlation_id, request_id, traceparent, channel, thread_ts, user_id };
  if (withdraws !== undefined) {
    const open = (await inbox.asked.openOf(withdraws)) ?? [];
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
  await atMost(statusTimeoutMs, session.idle(record), clock);
  if (written) await enqueueNotice(inbox, record, { to: "thread", text: "Nothing is running here." });
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
  desk: Workplace,
  given: {
    readonly judge: (record: InboxRecord) => Promise<Judgment>;
    /** Applies every rule except the rate limits, for a record that was judged before. */
    readonly judgeRetry: (record: InboxRecord) => Promise<Judgment>;
    readonly threads: ThreadStore;
  },
): <K extends InboxRecord["kind"]>(flow: Flow<K>) => Flow<K> {
  const { workspace, inbox } = desk;
  const { judge, judgeRetry, threads } = given;
  const notices = createTokenBuckets({ perMinute: noticesPerMinute });

  return (flow) => async (leased, lease) => {
    const { record, attempt, progress } = leased;
    // A person can withdraw a question although the policy denies new ones.
    if (progress.isWithdrawn || "withdraws" in record) return flow(leased, lease);
    // A record with a placeholder or an answer was allowed before, so its requester gets the rest.
    const wasAllowed = progress.placeholder !== undefined || progress.answer !== undefined;
    // The cap of a schedule limits its fires.
    const isFire = record.kind === "fire" || ("is_fire" in record && record.is_fire === true);
    const isCounted = attempt > 1 || isFire || ("late" in record && record.late === true);
    const judgment: Partial<Judgment> = wasAllowed ? {} : await (isCounted ? judgeRetry : judge)(record);
    const { denial, cause } = judgment;
    // An earlier attempt may have been allowed: what it shows must get its end. So this record waits for the rules, as a fire does.
    if ((attempt > 1 || isFire) && denial?.reason === "check_failed") throw cause;
    // The answer to a question joins its thread; an attempt after the first may have its answer from before.
    const joinsWithAnswer = record.kind === "ask" && attempt === 1 && denial === undefined;
    const isDecision = "awaits" in record && record.awaits !== undefined;
    const joins = record.kind !== "stop" && record.kind !== "fire" && !isDecision;
    if (authorMayAsk(denial) && !joinsWithAnswer && joins) await threads.join(record);
    if (denial === undefined) return flow(leased, lease);
    const text = denialSentence(denial, record.correlation_id);
    const isShown = record.kind !== "fire" && (attempt > 1 || record.headline !== undefined);
    const hasEnded = isShown && (await endPlaceholder(record, lease, text ?? "This question will not be answered."));
    if (hasEnded && !isFire) return;
    if (isFire) return tellOwner(desk, record, { denial, text });
    if (text === undefined || notices.take(`${record.team_id} ${record.user_id}`) > 0) return;
    await enqueueNotice(inbox, record, { to: "person", text });
  };

  /** A crashed worker may have allowed the question and posted a placeholder, which must not stay there. */
  async function endPlaceholder(record: InboxRecord, leave: AbortSignal, text: string): Promise<boolean> {
    const { channel, thread_ts, request_id, correlation_id } = record;
    const after = record.kind === "ask" ? record.ts : undefined;
    const { slack, clock } = workspace;
    const messages = createMarkedMessages({ slack, clock, thread: { channel, thread_ts, after }, leave });
    const mark = { request_id, correlation_id, state: "failed" as const };
    const found = await messages.find(mark);
    if (found?.mark?.state === "working")
      await messages.replace(found.ts, { message: { text, mark }, budgetMs: placeholderBudgetMs, doubtful: true });
    return found !== undefined;
  }
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

/** A question that begins within this time is not reported as queued, milliseconds. */
const quietMs = 1_000;

const queuedText = "Your question is queued. In a thread, I answer one question at a time.";

const lateText =
  "I was already working on your message when you edited it, so I go on with the old words. Write `stop` to end that, and ask the new ones in a new message.";

type NoticeDeps = { readonly inbox: Inbox; readonly findWorkspace: Workspaces["find"] };

/**
 * Waits a second and then tells the requester, once, that the question is still queued. A requester whom the policy denies gets only the denial,
 * when a worker processes the question. `stopping` aborts when the process stops. Never rejects: the notice is optional.
 */
async function noticeIfQueued(
  { clock, ...deps }: NoticeDeps & { readonly clock: Clock },
  record: Question,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(quietMs, stopping);
    if (await deps.inbox.isWaiting(record.request_id)) await tellAllowed(deps, record, "queued", queuedText);
  } catch {
    // The question is answered without it.
  }
}

/** Tells the requester, once, that an edit came too late for the question. Never rejects: the notice is optional. */
async function noticeLateEdit(deps: NoticeDeps, record: InboxRecord): Promise<void> {
  await tellAllowed(deps, record, "edited", lateText).catch(() => undefined);
}

/** Stores a notice for a requester whom the policy allows to ask. */
async function tellAllowed(
  { inbox, findWorkspace }: NoticeDeps,
  record: InboxRecord,
  ...[topic, text]: [topic: "queued" | "edited", text: string]
): Promise<void> {
  const context = await findWorkspace(record);
  if (context === undefined || (await context.policies.onRetry(record)).denial !== undefined) return;
  await enqueueNotice(inbox, record, { to: "person", topic, text });
}
