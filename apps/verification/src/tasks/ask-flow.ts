import { ZoneError } from "@crosszone/contracts";
import { atMost } from "../at-most.ts";
import type { AskRecord, InboxEntry, KeptAnswer } from "../inbox/inbox.ts";
import { answerQuestion, type AnswerQuestionDeps } from "./answer-question.ts";
import { attachFile } from "./attach-file.ts";
import { inThread, noted, type Attempt } from "./attempt.ts";
import { deliverAnswer, type Placeholder } from "./deliver-answer.ts";
import { createEditPace } from "./edit-pace.ts";
import { errorSentence } from "./error-sentences.ts";
import { createReadTaskFile } from "./read-task-file.ts";
import { createMarkedMessages } from "./marked-messages.ts";
import type { TaskTimes } from "./run-task.ts";
import type { RunningTasks } from "./running-tasks.ts";
import { statusPatienceMs, type SessionStatus } from "./session-status.ts";
import { displaySteps, showWorking } from "./show-working.ts";
import type { TaskObserver } from "./task-observer.ts";
import { answerOf, outcomeOf } from "./task-outcome.ts";
import { watchStop } from "./watch-stop.ts";

export interface AskFlowTimes extends TaskTimes {
  /** How long one attempt to get an answer may take, milliseconds. */
  readonly deadlineMs: number;
  /** How long a message of the answer may be tried, milliseconds. */
  readonly deliveryBudgetMs: number;
}

export interface AskFlowDeps extends AnswerQuestionDeps {
  readonly running: RunningTasks;
  readonly session: SessionStatus;
  readonly times: AskFlowTimes;
  readonly observe: (record: AskRecord) => TaskObserver;
}

/** An answer that is kept, and the message in whose place it goes. */
interface Ready {
  readonly answer: KeptAnswer;
  readonly placeholder: Placeholder;
}

/**
 * Answers one question: says at once that it is being worked on, has the task run, keeps the answer, and turns that message into it.
 * Each step is noted in the inbox or can be found in the thread, so that whoever takes the record next goes on from there: nothing is
 * said twice, and once an answer is kept the execution zone is not asked again. Rejects with a `LeaseLostError`, a `HandBackError` or
 * an `UnanswerableError` where one of these is meant, and with anything else when it shall be tried again later.
 */
export function createAskFlow(deps: AskFlowDeps): (entry: InboxEntry<"ask">, lease: AbortSignal) => Promise<void> {
  const { running, session, clock, observe } = deps;
  const pace = createEditPace(clock);
  return async (entry, lease) => {
    const { record, progress } = entry;
    const task = running.register(record, lease);
    const attempt: Attempt = { entry, task, seen: observe(record), pace };
    try {
      task.leave.throwIfAborted();
      const { answer } = progress;
      const ready = answer === undefined ? await work(deps, attempt) : { answer, placeholder: noted(entry) };
      // Before the record is done with, or a crash in between would leave Slack's Stop button there.
      const idle = atMost(statusPatienceMs, session.idle(record), clock);
      await deliver(deps, attempt, ready);
      await idle;
    } finally {
      task.release();
    }
  };
}

/** Gets the answer and keeps it, while a placeholder says so, and how far it is. */
async function work(deps: AskFlowDeps, current: Attempt): Promise<Ready> {
  const { entry, task, seen } = current;
  const { inbox, session, clock, times, background } = deps;
  const { record, attempt } = entry;
  const over = new AbortController();
  seen.started();
  background(session.working(record));
  void clock.sleep(times.deadlineMs, over.signal).then(
    () => task.end("deadline"),
    () => undefined,
  );
  void watchStop(deps, { requestId: record.request_id, task, over: over.signal });
  const showing = showWorking(deps, current).catch((error: unknown) => {
    task.abandon(error);
    throw error;
  });
  const display = displaySteps(deps, current, showing);
  const viewer = { onProgress: display.show, onText: display.write };
  const ending = answerQuestion(deps, entry, { task, seen, ...viewer }).catch((error: unknown) => {
    task.leave.throwIfAborted();
    return outcomeOf(error, attempt);
  });
  try {
    // All have to come to rest before anybody else may have the record, and before the answer stands where the steps do.
    await Promise.allSettled([showing, ending]);
    await display.end();
    const [placeholder, outcome] = await Promise.all([showing, ending]);
    seen.ended(outcome);
    const answer = answerOf(outcome, record.correlation_id, display.latest);
    await inbox.note(entry, { answer });
    return { answer, placeholder };
  } finally {
    over.abort();
  }
}

async function deliver(deps: AskFlowDeps, attempt: Attempt, { answer, placeholder }: Ready): Promise<void> {
  const { entry, seen } = attempt;
  const { request_id, correlation_id } = entry.record;
  const thread = inThread(deps, attempt);
  await deliverAnswer(
    {
      messages: createMarkedMessages(thread),
      attach: (file) => attachFile(thread, file),
      noteAttached: () => deps.inbox.note(entry, { attached: true }),
      onUploadFailed: seen.uploadFailed,
      readFile: createReadTaskFile(deps, entry.record),
    },
    {
      placeholder,
      answer,
      mark: { request_id, correlation_id },
      again: entry.attempt > 1 || entry.progress.answer !== undefined,
      attached: entry.progress.attached === true,
      budgetMs: deps.times.deliveryBudgetMs,
      apology: errorSentence(new ZoneError("internal"), correlation_id),
    },
  );
  seen.answered(answer.parts.length);
}
