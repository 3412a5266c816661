import type { SlackCallError } from "../slack/slack-call-error.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import type { RetryOptions } from "./retry.ts";

type OnRetry = NonNullable<RetryOptions["onRetry"]>;

/** What happens to one question, told to whoever logs and counts. */
export interface TaskObserver {
  readonly started: () => void;
  /** The execution zone works on it and will be asked for the result. */
  readonly accepted: (taskId: string) => void;
  /** A call to the execution zone failed and is made again. */
  readonly retried: OnRetry;
  /** The end of the work, before the answer is posted. Once. */
  readonly ended: (outcome: TaskOutcome) => void;
  readonly cancelFailed: (error: unknown) => void;
  readonly handleNotRevoked: (error: unknown) => void;
  readonly historyMissing: (error: unknown) => void;
  readonly placeholderMissing: (error: unknown) => void;
  /** Slack did not start a stream; a message is posted instead. */
  readonly streamNotStarted: (error: SlackCallError) => void;
  /** A stream takes nothing more. */
  readonly streamEnded: (error: unknown, then: "edit" | "stop" | "leave") => void;
  readonly postRetried: OnRetry;
  readonly uploadFailed: (error: unknown) => void;
  /** The answer is in the thread. */
  readonly answered: (parts: number) => void;
}
