import { createCounter } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { CommandAnswer, CommandEnding } from "../commands/answer-command.ts";
import type { CommandRecord } from "../commands/command-record.ts";
import { ResponseUrlError } from "../commands/response-urls.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Why a command is not even looked at. */
export type TurnedAway = "wrong_app" | "busy";

/** What happens to slash commands. */
export interface CommandObserver {
  readonly turnedAway: (record: CommandRecord, reason: TurnedAway) => void;
  /** Puts the work on a command into a span, under the one that the request named. */
  readonly traced: (record: CommandRecord, work: () => Promise<CommandAnswer>) => Promise<CommandAnswer>;
  readonly ended: (record: CommandRecord, answer: CommandAnswer, durationMs: number) => void;
  /** Slack did not take the answer where it asked for it; another way is tried. */
  readonly notTaken: (record: CommandRecord, error: unknown) => void;
  /** Nobody saw the answer. */
  readonly lost: (record: CommandRecord, error: unknown) => void;
}

const endings: readonly CommandEnding[] = ["answered", "denied", "failed", "not_installed", "wrong_app"];
const unusual: readonly CommandEnding[] = ["failed", "not_installed", "wrong_app"];

/** Turns what happens to commands into log lines and metrics: ids and endings, never what was typed or where the answer goes. */
export function observeCommands({ logger, registry, tracer }: ObserverDeps): CommandObserver {
  const commands = createCounter(registry, {
    name: "slack_commands_total",
    help: "Slash commands, by what became of them",
    labels: { verdict: [...endings, "busy"] },
  });
  const lost = createCounter(registry, {
    name: "slack_command_answers_lost_total",
    help: "Answers to slash commands that Slack took by no way",
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
