import type { CommandRecord } from "../../policy/policy-rule.ts";
import type { CommandAnswer } from "./answer-command.ts";

/** Receives the events of slash commands. */
export interface CommandObserver {
  /** A command was rejected before its policy check. */
  readonly turnedAway: (record: CommandRecord, reason: "wrong_app" | "busy") => void;
  /** Runs the work on a command in a span, whose parent is the request's span. */
  readonly traceCommand: (record: CommandRecord, work: () => Promise<CommandAnswer>) => Promise<CommandAnswer>;
  readonly ended: (record: CommandRecord, answer: CommandAnswer, durationMs: number) => void;
  /** Slack rejected the answer at the `response_url`; the Web API is tried next. */
  readonly answerNotTaken: (record: CommandRecord, error: unknown) => void;
  /** The answer could not be delivered. */
  readonly answerLost: (record: CommandRecord, error: unknown) => void;
}
