import type { InboxEntry } from "../inbox/inbox.ts";
import type { AnswerQuestionDeps } from "./answer-question.ts";
import type { Placeholder } from "./deliver-answer.ts";
import type { StreamStarts } from "../streams/start-streams.ts";
import { isOrphan } from "../streams/is-orphan.ts";
import type { EditPace } from "./edit-pace.ts";
import type { MarkedMessagesOptions } from "./marked-messages.ts";
import type { RunningTask } from "./running-tasks.ts";
import type { TaskObserver } from "./task-observer.ts";

/** One attempt to answer one question. */
export interface Attempt {
  readonly entry: InboxEntry<"ask">;
  readonly task: RunningTask;
  readonly seen: TaskObserver;
  readonly pace: EditPace;
  /** Answers are not streamed when absent. */
  readonly streams?: StreamStarts | undefined;
}

/** What an attempt before has noted; without it, nobody knows what it has posted. */
export function noted({ progress: { placeholder } }: InboxEntry<"ask">): Placeholder {
  return placeholder === undefined ? { doubtful: true } : { ts: placeholder };
}

/** What it takes to write to the thread of the question, for as long as the attempt may. */
export function inThread(
  { slack, clock, identity }: Pick<AnswerQuestionDeps, "slack" | "clock" | "identity">,
  { entry, task, seen }: Attempt,
): MarkedMessagesOptions & Pick<AnswerQuestionDeps, "slack"> {
  const { channel, thread_ts, ts } = entry.record;
  return {
    slack,
    clock,
    thread: { channel, thread_ts, after: ts },
    leave: task.leave,
    onRetry: seen.postRetried,
    adopts: (message) => isOrphan(message, { identity, after: ts }),
  };
}
