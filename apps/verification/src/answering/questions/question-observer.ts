import type { Question, RecordHead } from "../../inbox/records.ts";
import type { SlackCallError } from "../../slack/slack-call-error.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import type { RetryOptions } from "../../time/retry.ts";

type OnRetry = NonNullable<RetryOptions["onRetry"]>;

/** A question, or the run of one that an operator has retried. */
export type ObservedQuestion = RecordHead & Partial<Pick<Question, "files">>;

/** Receives the events of one question to log and measure. */
export interface QuestionObserver {
  readonly started: () => void;
  /** Execution has accepted the task. */
  readonly accepted: (taskId: string) => void;
  /** A call to execution failed and is retried. */
  readonly retried: OnRetry;
  /** The question has ended, but its answer is not posted yet. Called once. */
  readonly ended: (outcome: TaskOutcome) => void;
  readonly cancelFailed: (error: unknown) => void;
  readonly handleNotRevoked: (error: unknown) => void;
  readonly historyMissing: (error: unknown) => void;
  readonly placeholderMissing: (error: unknown) => void;
  /** Slack did not start a stream; a message is posted instead. */
  readonly streamNotStarted: (error: SlackCallError) => void;
  /** A stream accepts no more text. */
  readonly streamEnded: (error: unknown, then: "edit" | "stop" | "leave") => void;
  readonly postRetried: OnRetry;
  readonly uploadFailed: (error: unknown) => void;
  /** The answer is in the thread. */
  readonly answered: (parts: number) => void;
}
