import { atMost, noLonger } from "@crosszone/service-kit/timing";
import { retryTransient } from "@crosszone/sql";
import type { Inbox } from "../inbox/inbox.ts";
import { WithdrawnError } from "../inbox/record-ends.ts";
import { type LeasedRecord, pausedTaskId, type Question } from "../inbox/records.ts";
import { watchStop } from "../inbox/running-tasks.ts";
import type { AnsweredThread, Standing } from "../inbox/thread-store.ts";
import { DeniedError } from "../policy/denials.ts";
import { failedControls } from "../cards/answer-controls.ts";
import { type QuestionAttempt, reportQuestionEnd, startAttempt } from "../showing/attempt.ts";
import type { Workplace } from "../showing/workplace.ts";
import { deliverAnswer, type Placeholder, type Ready, removeParts } from "../showing/deliver-answer.ts";
import { noted, showWorking, WorkDisplay } from "../showing/show-working.ts";
import { answerOfOutcome, outcomeOf, type QuestionOutcome } from "../showing/task-outcome.ts";
import { statusTimeoutMs } from "../workspaces/workspaces.ts";
import { answerQuestion, type QuestionDesk } from "./answer-question.ts";
import { storePaused, watchFailedRun } from "./failed-runs.ts";

/**
 * Answers one question: runs the task, posts a progress message if that takes longer, stores the answer, and replaces the progress message
 * with it. Each step is recorded in the inbox or can be found in the thread, so the next worker continues where this one stopped: no message
 * appears twice, and execution is not called again once the answer is stored. Rejects with one of the errors in `record-ends.ts` in their cases, and with any other error when the question is to be retried.
 */
export async function workOnQuestion(
  desk: QuestionDesk,
  leased: LeasedRecord<"ask">,
  leave: AbortSignal,
): Promise<void> {
  const { workspace, running } = desk;
  const { session, clock } = workspace;
  const { record, progress } = leased;
  const task = running.register(record, leave);
  const attempt: QuestionAttempt = { ...startAttempt(workspace, leased, task.leave), task };
  try {
    task.leave.throwIfAborted();
    if (progress.isWithdrawn) task.end("withdrawn");
    const { answer } = progress;
    const ready = answer && !task.isWithdrawn ? { answer, placeholder: noted(leased) } : await work(desk, attempt);
    // Must precede the record's completion; a crash in between would leave Slack's Stop button in the thread.
    const isShown = task.isShown || leased.attempt > 1;
    const idle = isShown && !task.isPaused ? atMost(statusTimeoutMs, session.idle(record), clock) : undefined;
    await deliverAnswer(desk, attempt, { ...ready, taskId: task.taskId });
    await (task.isPaused ? atMost(statusTimeoutMs, session.suspended(record), clock) : idle);
  } finally {
    running.release(task);
  }
}

/** Gets and stores the answer while the placeholder shows progress. */
async function work(desk: QuestionDesk, current: QuestionAttempt): Promise<Ready> {
  const { workspace, leased, task, emit } = current;
  const { inbox, pace } = desk;
  const { clock, limits } = workspace;
  const { record, attempt } = leased;
  const over = new AbortController();
  const { channel, thread_ts, user_id, files } = record;
  emit("task_started", { channel, thread_ts, user_id, files: files.length });
  void clock.sleep(limits.ANSWER_DEADLINE, over.signal).then(
    () => task.end("deadline"),
    () => undefined,
  );
  void watchStop({ inbox, clock }, { requestId: record.request_id, task, over: over.signal });
  const display = new WorkDisplay(current, pace);
  const answered = Promise.withResolvers<void>();
  const showing = showIfSlow(desk, current, { display, answered: answered.promise }).catch((error: unknown) => {
    task.abandon(error);
    throw error;
  });
  // A lost connection to the database must not cost the answer.
  const standing = retryTransient(() => inbox.standing(record), { signal: task.leave });
  // It can fail before a caller awaits it. The caller gets the error.
  standing.catch(() => undefined);
  const ending = answerQuestion(desk, current, { standing, display }).catch((error: unknown) => {
    task.leave.throwIfAborted();
    return outcomeOf(error, { attempt, agent: task.agent });
  });
  void ending.catch(() => undefined).then(() => answered.resolve());
  try {
    // Both must end before another worker can have the record, and before the answer replaces the steps.
    await Promise.allSettled([showing, ending]);
    await display.end();
    if (task.isWithdrawn) {
      const placeholder = await showing.catch(() => noted(leased));
      await withdraw(current, { display, placeholder });
    }
    const [placeholder, ended] = await Promise.all([showing, ending]);
    const outcome = await completed(desk, current, ended);
    reportQuestionEnd(current, outcome);
    // Before the answer is stored: a later attempt does not know the error, or what the task waits for.
    if (outcome.state === "failed") await watchFailedRun(inbox, record, { error: outcome.error, now: clock.now() });
    if (outcome.state === "paused") await watchPaused(inbox, current, outcome);
    await display.nameAll("text" in outcome ? outcome.text : "");
    const { answer: whole, end } = answerOfOutcome(outcome, record.correlation_id, display);
    const answer = { ...whole, isBegun: display.text !== "" || undefined };
    await inbox.note(leased, { answer }, answeredThread(record, await standing.catch(() => undefined), outcome));
    const finish: Ready["finish"] = (notes, mark) => display.finish({ ...end, text: end.text + notes }, mark);
    return { answer, placeholder, continued: await display.continued(), finish };
  } finally {
    over.abort(noLonger);
  }
}

/** Deletes what the question has shown, because its author deleted the question. Rejects with a `WithdrawnError`. */
async function withdraw(
  current: QuestionAttempt,
  { display, placeholder }: { readonly display: WorkDisplay; readonly placeholder: Placeholder },
): Promise<never> {
  const { workspace, leased, task, messages } = current;
  const { record } = leased;
  task.leave.throwIfAborted();
  const { request_id, correlation_id } = record;
  const mark = { request_id, correlation_id, state: "stopped" as const };
  await display.finish({ state: "stopped", text: "", title: "Deleted" }, mark);
  if (placeholder.ts !== undefined || placeholder.doubtful) await messages.remove(mark, placeholder.ts);
  await removeParts(current, await display.continued(), { ...mark, part: 2 });
  // Without its first message a thread has no status.
  if (record.ts !== record.thread_ts) await atMost(statusTimeoutMs, workspace.session.idle(record), workspace.clock);
  throw new WithdrawnError("its author deleted the question");
}

/** Returns an outcome with the person who stopped it, or with what people can press below a failed answer. */
async function completed(
  { inbox, link }: Workplace,
  current: QuestionAttempt,
  ended: QuestionOutcome,
): Promise<QuestionOutcome> {
  if (ended.state === "stopped") return { ...ended, by: await stopperOf(inbox, current) };
  if (ended.state !== "failed" || ended.error instanceof DeniedError) return ended;
  const { leased, task } = current;
  const { record } = leased;
  const call = { signal: task.leave, correlationId: record.correlation_id };
  return { ...ended, controls: await failedControls(record, ended.error, { link, call }) };
}

/** Stores that the task waits. A stop of the question until then is one of the task. */
async function watchPaused(
  inbox: Inbox,
  { leased: { record }, task }: QuestionAttempt,
  { required, is_workflow, people, text, name, agent }: Extract<QuestionOutcome, { state: "paused" }>,
): Promise<void> {
  // Without a request it waits for no person.
  task.isPaused = required?.input_requests.length !== 0;
  if (required === undefined) return;
  await storePaused(inbox, record, { required, is_workflow, people: [...people], told: { text, name, agent } });
  const { ended } = await inbox.standing(record);
  const ids = [pausedTaskId(required.task_id)];
  const by = { request_id: `stop ${record.request_id}`, user_id: ended?.by };
  if (ended?.reason === "withdrawn") await inbox.withdraw(ids, record);
  else if (ended !== undefined) await inbox.stopPaused(ids, by);
}

/** Returns the person who stopped a question, whose stop can arrive after the stream's news of it. Undefined if that is the requester. */
async function stopperOf(inbox: Inbox, attempt: QuestionAttempt): Promise<string | undefined> {
  const { workspace, leased, task } = attempt;
  const { record } = leased;
  for (let tries = 1; ; tries += 1) {
    const standing = await inbox.standing(record).catch(() => undefined);
    const by = standing?.ended?.by;
    if (standing?.ended !== undefined || standing === undefined || tries > 1)
      return by === record.user_id ? undefined : by;
    await workspace.clock.sleep(1_000, task.leave);
  }
}

/** Shows the work, unless it has ended soon. A later attempt looks for what an earlier one has shown, so it does not wait. */
async function showIfSlow(
  desk: QuestionDesk,
  attempt: QuestionAttempt,
  { display, answered }: { readonly display: WorkDisplay; readonly answered: Promise<void> },
): Promise<Placeholder> {
  const { limits, clock, session } = attempt.workspace;
  const { SHOW_WORK_AFTER_MS: afterMs } = limits;
  let isAnswered = false;
  const ended = answered.then(() => void (isAnswered = true));
  if (attempt.leased.attempt === 1 && afterMs > 0) await atMost(afterMs, ended, clock);
  if (attempt.task.isWithdrawn) return noted(attempt.leased);
  if (isAnswered) return attempt.leased.record.headline ? noted(attempt.leased) : { doubtful: false };
  attempt.task.isShown = true;
  desk.link.background(session.working(attempt.leased.record));
  return showWorking(desk, attempt, display);
}

/** Returns what changes in the question's thread with its answer; nothing if the thread could not be read. */
function answeredThread(
  thread: Question,
  standing: Standing | undefined,
  outcome: QuestionOutcome,
): AnsweredThread | undefined {
  if (standing === undefined) return undefined;
  const { conversation, isKept } = standing;
  const agent = outcome.state === "done" || outcome.state === "paused" ? outcome.agent : undefined;
  if (isKept && (agent === undefined || agent === conversation.agent)) return undefined;
  return { thread, context_id: conversation.context_id, agent };
}
