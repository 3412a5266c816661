import {
  badRequestStatuses,
  createCounter,
  createEmit,
  createGauge,
  createRedMetrics,
  type Emit,
} from "@crosszone/service-kit";
import { inSpan } from "@crosszone/service-kit/tracing";
import { verificationEvents, type VerificationEvent } from "@crosszone/telemetry";
import type { CommandEnding } from "../../answering/commands/answer-command.ts";
import { slackRefusals } from "../../edge/http/slack-route.ts";
import type { TraceWork } from "../../inbox/inbox-work.ts";
import { errorFields, errorKinds, loggedFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

const commandEndings: readonly CommandEnding[] = ["answered", "denied", "failed", "not_installed", "wrong_app"];

/** A field of what was refused. */
interface Refusal {
  readonly reason: string;
}

/** The fields of a question's end. */
interface AnswerEnd {
  readonly task_id: string | undefined;
  /** Milliseconds. */
  readonly duration_ms: number;
  readonly failure?: unknown;
}

/** Makes the function that logs and measures the zone's events. `running` is the number of questions that this process is answering. */
export function createAppEmit(
  { logger, registry, tracer }: ObserverDeps,
  running: { readonly size: number },
): Emit<VerificationEvent> {
  createGauge(registry, "questions_in_work", () => running.size);
  const answers = createRedMetrics(registry, "answer", { outcomes: ["done", "stopped", ...errorKinds] });
  const answered = (outcome: string, { task_id, duration_ms: durationMs }: AnswerEnd): void => {
    answers.record({ labels: {}, outcome, durationMs });
    tracer.current()?.set({ "crosszone.outcome": outcome, "crosszone.task_id": task_id });
  };
  const commands = createCounter(registry, "slack_commands_total", { verdict: [...commandEndings, "busy"] });
  const lostAnswers = createCounter(registry, "slack_command_answers_lost_total");
  const refused = createCounter(registry, "slack_requests_refused_total", { reason: slackRefusals });
  const broken = createCounter(registry, "http_requests_refused_total", {
    reason: badRequestStatuses.map((status) => `http_${status}`),
  });
  return createEmit({
    logger,
    events: verificationEvents,
    logged: loggedFields,
    measure: {
      slack_request_refused: ({ reason }: Refusal) => refused.add({ reason }),
      http_refused: ({ reason }: Refusal) => broken.add({ reason }),
      command_refused: ({ reason }: Refusal) => commands.add({ verdict: reason }),
      command_ended: ({ verdict }: { readonly verdict: string }) => commands.add({ verdict }),
      command_answer_lost: () => lostAnswers.add({}),
      task_done: (end: AnswerEnd) => answered("done", end),
      task_stopped: (end: AnswerEnd) => answered("stopped", end),
      task_failed: (end: AnswerEnd) => answered(errorFields(end.failure).kind, end),
    },
  });
}

/** Makes the function that runs the work on a record or a command in a span. */
export function createTraceWork({ tracer }: Pick<ObserverDeps, "tracer">): TraceWork {
  return async ({ kind, request_id, correlation_id, traceparent }, work, attempt) => {
    const isCommand = kind === "command";
    const span = tracer.start(isCommand ? "process slack.command" : `process ${kind}`, {
      kind: "consumer",
      traceparent,
      attributes: {
        "messaging.system.name": "slack",
        "messaging.destination.name": isCommand ? "slack.commands" : "slack.events",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.message.conversation_id": correlation_id,
        "crosszone.request_id": request_id,
        "crosszone.attempt": attempt,
      },
    });
    return inSpan(span, work, errorFields);
  };
}

/** Makes the function that logs the events of what exists before the app's metrics do. */
export function createLogEmit(logger: ObserverDeps["logger"]): Emit<VerificationEvent> {
  return createEmit({ logger, events: verificationEvents, logged: loggedFields });
}
