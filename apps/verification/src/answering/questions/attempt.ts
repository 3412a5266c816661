import type { LeasedRecord } from "../../inbox/records.ts";
import type { AnswerQuestionDeps } from "./answer-question.ts";
import type { Placeholder } from "../posting/deliver-answer.ts";
import type { StreamStarts } from "../streams/start-streams.ts";
import { isOrphan } from "../streams/stream-trouble.ts";
import type { EditPace } from "../posting/edit-pace.ts";
import type { MarkedMessagesOptions } from "../posting/marked-messages.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";
import type { QuestionObserver } from "./question-observer.ts";

/** One attempt to answer one question. */
export interface Attempt {
  readonly leased: LeasedRecord<"ask">;
  readonly task: RunningTask;
  readonly observer: QuestionObserver;
  readonly pace: EditPace;
  /** Answers are not streamed when absent. */
  readonly streams?: StreamStarts | undefined;
}

/** Returns the placeholder that an earlier attempt recorded. Without a record, it may or may not be posted. */
export function noted({ progress: { placeholder } }: LeasedRecord<"ask">): Placeholder {
  return placeholder === undefined ? { doubtful: true } : { ts: placeholder };
}

/** Returns what an attempt needs to write to the question's thread until its lease ends. */
export function inThread(
  { slack, clock, identity }: Pick<AnswerQuestionDeps, "slack" | "clock" | "identity">,
  { leased, task, observer }: Attempt,
): MarkedMessagesOptions & Pick<AnswerQuestionDeps, "slack"> {
  const { channel, thread_ts, ts } = leased.record;
  return {
    slack,
    clock,
    thread: { channel, thread_ts, after: ts },
    leave: task.leave,
    onRetry: observer.postRetried,
    adopts: (message) => isOrphan(message, { identity, after: ts }),
  };
}
