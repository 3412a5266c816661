import { createCounter } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { CommandEnding } from "../../answering/commands/answer-command.ts";
import type { CommandObserver } from "../../answering/commands/command-observer.ts";
import type { CommandRecord } from "../../policy/policy-rule.ts";
import { ResponseUrlError } from "../../slack/response-urls.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

const endings: readonly CommandEnding[] = ["answered", "denied", "failed", "not_installed", "wrong_app"];
const unusual: readonly CommandEnding[] = ["failed", "not_installed", "wrong_app"];

/** Turns commands into log lines and metrics: ids and endings, never the command's text or the answer's URL. */
export function observeCommands({ logger, registry, tracer }: ObserverDeps): CommandObserver {
  const commands = createCounter(registry, {
    name: "slack_commands_total",
    labels: { verdict: [...endings, "busy"] },
  });
  const lost = createCounter(registry, {
    name: "slack_command_answers_lost_total",
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
    traceCommand: (record, work) => {
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
    answerNotTaken: (record, error) =>
      logger.warn("command_answer_not_taken", {
        ...idsOf(record),
        ...errorFields(error),
        ...(error instanceof ResponseUrlError && { code: error.code }),
        cause: error,
      }),
    answerLost: (record, error) => {
      lost.add({});
      logger.error("command_answer_lost", { ...idsOf(record), ...errorFields(error), cause: error });
    },
  };
}
