import { ZoneError } from "@crosszone/contracts";
import { retryTransient } from "@crosszone/sql";
import { atMost } from "@crosszone/service-kit/timing";
import type { LeasedRecord, Question, StoredAnswer } from "../../inbox/records.ts";
import type { AnsweredThread, Standing } from "../../inbox/thread-store.ts";
import { type SessionStatus, statusTimeoutMs } from "../../workspaces/session-status.ts";
import { attachFile } from "../posting/attach-file.ts";
import { deliverAnswer, type DeliverDeps, type Placeholder } from "../posting/deliver-answer.ts";
import { createEditPace } from "../posting/step-display.ts";
import { createMarkedMessages } from "../posting/marked-messages.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { createStreamStarts } from "../streams/start-streams.ts";
import type { StreamPace } from "../streams/stream-pace.ts";
import { createReadTaskFile } from "../tasks/read-task-file.ts";
import type { TaskTimes } from "../tasks/run-task.ts";
import { type RunningTasks, watchStop } from "../tasks/running-tasks.ts";
import { answerQuestion, type AnswerQuestionDeps } from "./answer-question.ts";
import { type QuestionEvents, reportEnd, reporting } from "./question-events.ts";
import {
  type Attempt,
  displayWork,
  inThread,
  noted,
  type PostingAttempt,
  type Shown,
  showWorking,
} from "./show-working.ts";
import { answerOf, outcomeOf, type TaskOutcome } from "./task-outcome.ts";

export interface QuestionTimes extends TaskTimes {
  /** Timeout of one attempt to get an answer, milliseconds. */
  readonly deadlineMs: number;
  /**
   * How long a question is processed before its thread shows that, milliseconds. An earlier answer is posted without a progress message.
   */
  readonly showAfterMs: number;
  /** How long one message of the answer is retried, milliseconds. */
  readonly deliveryBudgetMs: number;
}

export interface QuestionFlowDeps extends AnswerQuestionDeps, Pick<QuestionEvents, "emit"> {
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  readonly times: QuestionTimes;
  /** Stores that the run of a question failed, in case an operator retries it. */
  readonly watchFailedRun: (record: Question, error: unknown) => Promise<void>;
  /** Answers are not streamed when absent. */
  readonly streamPace?: StreamPace;
}

/** A stored answer, and the message that it replaces. */
export interface Ready {
  readonly answer: StoredAnswer;
  readonly placeholder: Placeholder;
  /** Ends the stream of that message with the answer and a note; resolves with true if it needs no edit. */
  readonly finish?: DeliverDeps["finish"];
}

/**
 * Answers one question: runs the task, posts a progress message if that takes longer, stores the answer, and replaces the progress message
 * with it. Each step is recorded in the inbox or can be found in the thread, so the next worker continues where this one stopped: no message
 * appears twice, and execution is not called again once the answer is stored. Rejects with a `LeaseLostError`, a `ReleasedError` or an `UnanswerableError` in
 * these cases, and with any other error when the question is to be retried.
 */
export function createQuestionFlow(
  deps: QuestionFlowDeps,
): (leased: LeasedRecord<"ask">, lease: AbortSignal) => Promise<void> {
  const { running, session, clock, streamPace, slack, identity } = deps;
  const pace = createEditPace(clock);
  const streams = streamPace && createStreamStarts({ slack, clock, pace: streamPace, team_id: identity.team_id });
  return async (leased, lease) => {
    const { record, progress } = leased;
    const task = running.register(record, lease);
    const attempt: Attempt = { leased, task, ...reporting(deps.emit, record), pace, streams };
    try {
      task.leave.throwIfAborted();
      const { answer } = progress;
      const ready = answer ? { answer, placeholder: noted(leased) } : await work(deps, attempt);
      // Must precede the record's completion; a crash in between would leave Slack's Stop button in the thread.
      const idle = atMost(statusTimeoutMs, session.idle(record), clock);
      await deliver(deps, attempt, ready);
      await idle;
    } finally {
      task.release();
    }
  };
}

/** Gets and stores the answer while the placeholder shows progress. */
async function work(deps: QuestionFlowDeps, current: Attempt): Promise<Ready> {
  const { leased, task, emit } = current;
  const { inbox, session, clock, times, background } = deps;
  const { record, attempt } = leased;
  const over = new AbortController();
  const { channel, thread_ts, user_id, files } = record;
  emit("task_started", { channel, thread_ts, user_id, files: files.length });
  background(session.working(record));
  void clock.sleep(times.deadlineMs, over.signal).then(
    () => task.end("deadline"),
    () => undefined,
  );
  void watchStop(deps, { requestId: record.request_id, task, over: over.signal });
  const answered = Promise.withResolvers<void>();
  const showing = showIfSlow(deps, current, answered.promise).catch((error: unknown) => {
    task.abandon(error);
    throw error;
  });
  const display = displayWork(deps, current, showing);
  const viewer = { onProgress: display.show, onText: display.write, onPeople: display.admit };
  // A lost connection to the database must not cost the answer.
  const standing = retryTransient(() => inbox.standing(record), { signal: task.leave });
  const ending = answerQuestion(deps, leased, { task, emit, standing, ...viewer }).catch((error: unknown) => {
    task.leave.throwIfAborted();
    return outcomeOf(error, attempt);
  });
  void ending.catch(() => undefined).then(() => answered.resolve());
  try {
    // Both must end before another worker can have the record, and before the answer replaces the steps.
    await Promise.allSettled([showing, ending]);
    await display.end();
    const [{ placeholder }, ended] = await Promise.all([showing, ending]);
    const outcome = ended.state === "stopped" ? { ...ended, by: await stopperOf(deps, current) } : ended;
    reportEnd(current, outcome);
    // Before the answer is stored: a later attempt does not know the error.
    if (outcome.state === "failed") await deps.watchFailedRun(record, outcome.error);
    const { answer, end } = answerOf(outcome, record.correlation_id, display.shown);
    await inbox.note(leased, { answer }, answeredThread(record, await standing.catch(() => undefined), outcome));
    return { answer, placeholder, finish: (notes, mark) => display.finish({ ...end, text: end.text + notes }, mark) };
  } finally {
    over.abort();
  }
}

/** Returns the person who stopped a question, whose stop can arrive after the stream's news of it. Undefined if that is the requester. */
async function stopperOf(deps: QuestionFlowDeps, { leased: { record }, task }: Attempt): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const { isStopped = true, stoppedBy } = (await deps.inbox.standing(record).catch(() => undefined)) ?? {};
    if (isStopped || tries > 1) return stoppedBy === record.user_id ? undefined : stoppedBy;
    await deps.clock.sleep(1_000, task.leave);
  }
}

/** Shows the work, unless it has ended soon. A later attempt looks for what an earlier one has shown, so it does not wait. */
async function showIfSlow(deps: QuestionFlowDeps, current: Attempt, answered: Promise<void>): Promise<Shown> {
  const { clock, times } = deps;
  if (current.leased.attempt > 1 || times.showAfterMs === 0) return showWorking(deps, current);
  let isAnswered = false;
  await atMost(
    times.showAfterMs,
    answered.then(() => void (isAnswered = true)),
    clock,
  );
  return isAnswered ? { placeholder: { doubtful: false } } : showWorking(deps, current);
}

/** Returns what changes in the question's thread with its answer; nothing if the thread could not be read. */
function answeredThread(
  thread: Question,
  standing: Standing | undefined,
  outcome: TaskOutcome,
): AnsweredThread | undefined {
  if (standing === undefined) return undefined;
  const { conversation, isKept } = standing;
  const agent = outcome.state === "done" ? outcome.agent : undefined;
  if (isKept && (agent === undefined || agent === conversation.agent)) return undefined;
  return { thread, context_id: conversation.context_id, agent };
}

/** Posts a stored answer into the thread of its record. */
export async function deliver(
  deps: Pick<QuestionFlowDeps, "slack" | "clock" | "identity" | "inbox" | "zone" | "times">,
  attempt: PostingAttempt,
  { answer, placeholder, finish }: Ready,
): Promise<void> {
  const { leased, task, emit, startedAt } = attempt;
  const { request_id, correlation_id } = leased.record;
  const thread = inThread(deps, attempt);
  task.leave.throwIfAborted();
  await deliverAnswer(
    {
      finish,
      messages: createMarkedMessages(thread),
      attach: (file) => attachFile(thread, file),
      noteAttached: () => deps.inbox.note(leased, { attached: true }),
      onUploadFailed: (failure) => emit("file_not_attached", { operation: "files.completeUploadExternal", failure }),
      readFile: createReadTaskFile(deps, leased.record),
    },
    {
      placeholder,
      answer,
      mark: { request_id, correlation_id },
      isRetry: leased.attempt > 1 || leased.progress.answer !== undefined,
      attached: leased.progress.attached === true,
      budgetMs: deps.times.deliveryBudgetMs,
      apology: errorSentence(new ZoneError("internal"), correlation_id),
    },
  );
  const duration_ms = performance.now() - startedAt;
  emit("answer_posted", { task_id: task.taskId, parts: answer.parts.length, duration_ms });
}
