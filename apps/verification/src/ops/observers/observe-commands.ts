import { createCounter } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { CommandAnswer, CommandEnding } from "../../answering/commands/answer-command.ts";
import type { CommandRecord } from "../../policy/command-record.ts";
import { ResponseUrlError } from "../../slack/response-urls.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Why a command was rejected before its policy check. */
export type TurnedAway = "wrong_app" | "busy";

/** Receives the events of slash commands. */
export interface CommandObserver {
  readonly turnedAway: (record: CommandRecord, reason: TurnedAway) => void;
  /** Runs the work on a command in a span, whose parent is the request's span. */
  readonly traced: (record: CommandRecord, work: () => Promise<CommandAnswer>) => Promise<CommandAnswer>;
  readonly ended: (record: CommandRecord, answer: CommandAnswer, durationMs: number) => void;
  /** Slack rejected the answer at the `response_url`; the Web API is tried next. */
  readonly notTaken: (record: CommandRecord, error: unknown) => void;
  /** The answer could not be delivered. */
  readonly lost: (record: CommandRecord, error: unknown) => void;
}

const endings: readonly CommandEnding[] = ["answered", "denied", "failed", "not_installed", "wrong_app"];
const unusual: readonly CommandEnding[] = ["failed", "not_installed", "wrong_app"];

/** Turns commands into log lines and metrics: ids and endings, never the command's text or the answer's URL. */
export function observeCommands({ logger, registry, tracer }: ObserverDeps): CommandObserver {
  const commands = createCounter(registry, {
    name: "slack_commands_total",
    help: "Slash commands, by verdict",
    labels: { verdict: [...endings, "busy"] },
  });
  const lost = createCounter(registry, {
    name: "slack_command_answers_lost_total",
    help: "Answers to slash commands that could not be delivered",
    labels: {},
  });
  const idsOf = (record: CommandRecord): Record<string, unknown> => {
    const { correlation_id, request_id, user_id, channel, team_id, traceparent } = record;
    return { correlation_id, request_id, ...traceFields(traceparent), user_id, channel, team_id };
  };

  return {
    turnedAway: (record, reason) => {
      commands.add({ verdict: reason });
      logger.warn("command_refused", { ...idsOf(record), reason });
    },
    traced: (record, work) => {
      const span = tracer.start("process slack.command", {
        kind: "consumer",
        traceparent: record.traceparent,
        attributes: {
          "messaging.system.name": "slack",
          "messaging.destination.name": "slack.commands",
          "messaging.operation.name": "process",
          "messaging.operation.type": "process",
          "messaging.message.conversation_id": record.correlation_id,
          "crosszone.request_id": record.request_id,
        },
      });
      return inSpan(span, work, errorFields);
    },
    ended: (record, { ending, error }, durationMs) => {
      commands.add({ verdict: ending });
      logger[unusual.includes(ending) ? "warn" : "info"]("command_ended", {
        ...idsOf(record),
        verdict: ending,
        duration_ms: Math.round(durationMs),
        ...(error !== undefined && { ...errorFields(error), cause: error }),
      });
    },
    notTaken: (record, error) =>
      logger.warn("command_answer_not_taken", {
        ...idsOf(record),
        ...errorFields(error),
        ...(error instanceof ResponseUrlError && { code: error.code }),
        cause: error,
      }),
    lost: (record, error) => {
      lost.add({});
      logger.error("command_answer_lost", { ...idsOf(record), ...errorFields(error), cause: error });
    },
  };
}
