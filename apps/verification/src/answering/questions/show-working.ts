import type { TaskProgress } from "@crosszone/contracts";
import type { LeasedRecord } from "../../inbox/records.ts";
import type { TaskMark } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { workingOnIt } from "../markdown/compose-unfinished.ts";
import type { Placeholder } from "../posting/deliver-answer.ts";
import { createMarkedMessages, type MarkedMessagesOptions } from "../posting/marked-messages.ts";
import { createStepDisplay, type EditPace, type StepDisplay } from "../posting/step-display.ts";
import type { LiveStream, StreamStart, StreamStarts } from "../streams/start-streams.ts";
import { createStreamDisplay, type StreamDisplay } from "../streams/stream-display.ts";
import { isOrphan } from "../streams/stream-trouble.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";
import type { AnswerQuestionDeps } from "./answer-question.ts";
import type { QuestionEvents } from "./question-events.ts";
import type { ShownWork } from "./task-outcome.ts";

/** One attempt to answer one question. */
export interface Attempt extends QuestionEvents {
  readonly leased: LeasedRecord<"ask">;
  readonly task: RunningTask;
  readonly pace: EditPace;
  /** Answers are not streamed when absent. */
  readonly streams?: StreamStarts;
}

/** Returns the placeholder that an earlier attempt recorded. Without a record, it may or may not be posted. */
export function noted({ progress: { placeholder } }: LeasedRecord<"ask">): Placeholder {
  return placeholder === undefined ? { doubtful: true } : { ts: placeholder };
}

/** What posting an answer needs of an attempt, also of one at the result of a retried run. */
export interface PostingAttempt extends QuestionEvents {
  readonly leased: LeasedRecord<"ask"> | LeasedRecord<"failed_run">;
  readonly task: Pick<RunningTask, "leave" | "taskId">;
}

/** Returns what an attempt needs to write to the question's thread until its lease ends. */
export function inThread(
  { slack, clock, identity }: Pick<AnswerQuestionDeps, "slack" | "clock" | "identity">,
  { leased: { record }, task, emit }: PostingAttempt,
): MarkedMessagesOptions & Pick<AnswerQuestionDeps, "slack"> {
  const { channel, thread_ts } = record;
  const onRetry: MarkedMessagesOptions["onRetry"] = (error, { attempt, waitMs }) =>
    emit("post_retried", { error, attempt, wait_ms: waitMs });
  const own = { slack, clock, leave: task.leave, onRetry };
  if (record.kind !== "ask") return { ...own, thread: { channel, thread_ts } };
  const after = record.ts;
  return {
    ...own,
    thread: { channel, thread_ts, after },
    adopts: (message) => isOrphan(message, { identity, after }),
  };
}

type ShowDeps = Pick<AnswerQuestionDeps, "inbox" | "slack" | "clock" | "identity">;

/** The message that shows that work is in progress, and its stream if this attempt streams it. */
export interface Shown {
  readonly placeholder: Placeholder;
  readonly stream?: LiveStream;
}

/** How long posting the progress message is retried, milliseconds. After that the answer becomes a message of its own. */
const placeholderBudgetMs = 10_000;

/** Posts the progress message, as a stream if one can be started at once. Reuses the message of an earlier attempt. */
export async function showWorking(deps: ShowDeps, attempt: Attempt): Promise<Shown> {
  const { leased } = attempt;
  if (leased.progress.placeholder !== undefined) return { placeholder: noted(leased) };
  // An earlier attempt may have started a stream or posted a message: search the thread for both.
  const mayBeThere = leased.attempt > 1;
  const started = mayBeThere ? undefined : await startStream(attempt);
  if (started?.stream === undefined)
    return { placeholder: await postWorking(deps, attempt, mayBeThere || started?.doubtful === true) };
  const { stream } = started;
  await deps.inbox.note(leased, { placeholder: stream.ts });
  return { placeholder: { ts: stream.ts }, stream };
}

async function startStream({ leased, task, emit, streams }: Attempt): Promise<StreamStart | undefined> {
  const started = await streams?.start(leased.record, task.leave);
  if (started?.stream === undefined && started?.error !== undefined)
    emit("stream_not_started", { operation: "chat.startStream", failure: started.error });
  return started;
}

async function postWorking(deps: ShowDeps, attempt: Attempt, doubtful: boolean): Promise<Placeholder> {
  const { leased, emit } = attempt;
  try {
    const { ts } = await createMarkedMessages(inThread(deps, attempt)).post({
      message: { text: workingOnIt, mark: workingMark(attempt) },
      budgetMs: placeholderBudgetMs,
      doubtful,
    });
    await deps.inbox.note(leased, { placeholder: ts });
    return { ts };
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    emit("placeholder_missing", { operation: "chat.postMessage", failure: error });
    return { doubtful: doubtful || error.failure === "unavailable" };
  }
}

/** Shows a running task: in its stream while that works, then by editing the message. */
export interface WorkDisplay extends StepDisplay, Pick<StreamDisplay, "admit" | "finish"> {
  /** What was shown so far. */
  readonly shown: ShownWork;
}

/** Shows the task's progress in the progress message, as often as Slack allows. */
export function displayWork(deps: ShowDeps, attempt: Attempt, showing: Promise<Shown>): WorkDisplay {
  const { task, emit, pace } = attempt;
  const { clock } = deps;
  const mark = workingMark(attempt);
  const startedAt = clock.now();
  let text = "";
  let progress: TaskProgress | undefined;
  let people: ReadonlySet<string> = new Set();
  const messages = createMarkedMessages(inThread(deps, attempt));
  const streamed = createStreamDisplay({
    clock,
    opened: showing.then(({ stream }) => stream),
    mark,
    until: task.signal,
    onStopped: () => task.end("stopped"),
    onTrouble: (failure, next) => emit("stream_ended", { operation: "chat.appendStream", next, failure }),
  });
  const changed = createStepDisplay({
    clock,
    pace,
    message: streamed.left.then(async () => (await showing).placeholder),
    edit: (ts, markdown_text) => messages.edit(ts, { markdown_text, mark }),
    until: task.signal,
  });
  return {
    show: (shown) => {
      progress = shown;
      streamed.show(shown);
      changed.show(shown);
    },
    write: (written) => {
      text = written;
      streamed.write(written);
      changed.write(written);
    },
    admit: (admitted) => {
      people = admitted;
      streamed.admit(admitted);
    },
    finish: (...end) => streamed.finish(...end),
    get shown() {
      return { text, people, progress, durationMs: clock.now() - startedAt };
    },
    end: async () => {
      await streamed.end();
      await changed.end();
    },
  };
}

function workingMark({ leased }: Attempt): TaskMark {
  const { request_id, correlation_id } = leased.record;
  return { request_id, correlation_id, state: "working" };
}
