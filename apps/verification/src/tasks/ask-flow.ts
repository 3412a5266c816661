import { ZoneError } from "@crosszone/contracts";
import type { AskRecord, InboxEntry } from "../inbox/inbox.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { answerQuestion, type AnswerQuestionDeps } from "./answer-question.ts";
import { deliverAnswer, type Placeholder } from "./deliver-answer.ts";
import { errorSentence } from "./error-sentences.ts";
import { createMarkedMessages } from "./marked-messages.ts";
import type { TaskTimes } from "./run-task.ts";
import type { RunningTasks } from "./running-tasks.ts";
import type { SessionStatus } from "./session-status.ts";
import type { TaskObserver } from "./task-observer.ts";
import { answerOf, outcomeOf, type TaskOutcome } from "./task-outcome.ts";

export interface AskFlowTimes extends TaskTimes {
  /** How long a person waits for an answer at most, milliseconds. */
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

/** The message that says that the work is going on is tried for so long; then the answer is posted by itself. */
const placeholderBudgetMs = 10_000;

/**
 * Answers one question: says at once that it is being worked on, has the task run, and turns that message into the answer or into
 * an honest word. Rejects when the answer cannot be brought to Slack.
 */
export function createAskFlow(deps: AskFlowDeps): (entry: InboxEntry<"ask">) => Promise<void> {
  const { running, session, clock, times, observe, background } = deps;
  return async (entry) => {
    const { record } = entry;
    const seen = observe(record);
    const task = running.register(record);
    const over = new AbortController();
    void clock.sleep(times.deadlineMs, over.signal).then(
      () => task.end("deadline"),
      () => undefined,
    );
    seen.started();
    background(session.working(record));
    try {
      const ending = answerQuestion(deps, record, { task, seen })
        .catch(outcomeOf)
        .then((ended) => {
          seen.ended(ended);
          return ended;
        });
      const [placeholder, outcome] = await Promise.all([showWorking(deps, entry, seen), ending]);
      await deliver(deps, record, { placeholder, outcome, seen });
    } finally {
      over.abort();
      task.release();
      background(session.idle(record));
    }
  };
}

async function showWorking(
  { inbox, slack, clock }: AskFlowDeps,
  { record, progress: { placeholder }, attempt }: InboxEntry<"ask">,
  seen: TaskObserver,
): Promise<Placeholder> {
  if (placeholder !== undefined) return { ts: placeholder };
  const { request_id, correlation_id } = record;
  try {
    const ts = await createMarkedMessages({ slack, clock, onRetry: seen.postRetried }).post({
      thread: record,
      message: { text: "Working on it…", mark: { request_id, correlation_id, state: "working" } },
      budgetMs: placeholderBudgetMs,
      doubtful: attempt > 1,
    });
    await inbox.note({ record, attempt }, { placeholder: ts });
    return { ts };
  } catch (error) {
    seen.placeholderMissing(error);
    return { doubtful: !(error instanceof SlackCallError) || error.failure === "unavailable" };
  }
}

async function deliver(
  { slack, clock, times }: AskFlowDeps,
  record: AskRecord,
  { placeholder, outcome, seen }: { placeholder: Placeholder; outcome: TaskOutcome; seen: TaskObserver },
): Promise<void> {
  const { request_id, correlation_id } = record;
  const answer = answerOf(outcome, correlation_id);
  const messages = createMarkedMessages({ slack, clock, onRetry: seen.postRetried });
  await deliverAnswer(
    { messages, slack, onUploadFailed: seen.uploadFailed },
    {
      thread: record,
      placeholder,
      answer,
      mark: { request_id, correlation_id, state: outcome.state },
      budgetMs: times.deliveryBudgetMs,
      apology: errorSentence(new ZoneError("internal"), correlation_id),
    },
  );
  seen.answered(answer.parts.length);
}
