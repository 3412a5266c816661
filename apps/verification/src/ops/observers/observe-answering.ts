import { createGauge, createRedMetrics, type RedMetrics } from "@crosszone/service-kit";
import { inSpan, traceFields } from "@crosszone/service-kit/tracing";
import type { AnsweringObserver } from "../../answering/answering-observer.ts";
import type { ObservedQuestion, QuestionObserver } from "../../answering/questions/question-observer.ts";
import { errorFields, errorKinds } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Logs, measures and traces the work on records. `running` is the number of questions that this process is answering. */
export function observeAnswering(deps: ObserverDeps, running: { readonly size: number }): AnsweringObserver {
  const { logger, registry, tracer } = deps;
  createGauge(registry, {
    name: "questions_in_work",
    labels: {},
    read: () => [{ labels: {}, value: running.size }],
  });
  const answers = createRedMetrics(registry, {
    name: "answer",
    labels: {},
    outcomes: ["done", "stopped", ...errorKinds],
  });

  return {
    question: (record) => observeQuestion(record, deps, answers),
    traceRecord: async ({ record, attempt }, work) => {
      const { kind, request_id, correlation_id, traceparent } = record;
      const span = tracer.start(`process ${kind}`, {
        kind: "consumer",
        traceparent,
        attributes: {
          "messaging.system.name": "slack",
          "messaging.destination.name": "slack.events",
          "messaging.operation.name": "process",
          "messaging.operation.type": "process",
          "messaging.message.conversation_id": correlation_id,
          "crosszone.request_id": request_id,
          "crosszone.attempt": attempt,
        },
      });
      return inSpan(span, work, errorFields);
    },
    stopRequested: ({ correlation_id, request_id, channel, thread_ts, user_id, traceparent }, stopped) => {
      const ids = { correlation_id, request_id, ...traceFields(traceparent) };
      logger.info("stop_requested", { ...ids, channel, thread_ts, user_id, stopped });
    },
    noticeLost: (error, { correlation_id, request_id }) =>
      logger.warn("notice_lost", {
        correlation_id,
        request_id,
        operation: "chat.postEphemeral",
        ...errorFields(error),
        cause: error,
      }),
  };
}

/** Makes the observer of one question: log lines with its ids, and metrics of its outcome. */
function observeQuestion(
  { request_id, correlation_id, channel, thread_ts, user_id, files = [], traceparent }: ObservedQuestion,
  { logger, tracer }: Pick<ObserverDeps, "logger" | "tracer">,
  answers: RedMetrics<never>,
): QuestionObserver {
  const log = logger.child({ correlation_id, request_id, ...traceFields(traceparent) });
  const startedAt = performance.now();
  let taskId: string | undefined;
  const failed = (error: unknown): Record<string, unknown> => ({ ...errorFields(error), cause: error });
  const duration = (): number => Math.round(performance.now() - startedAt);

  return {
    started: () => log.info("task_started", { channel, thread_ts, user_id, files: files.length }),
    accepted: (id) => {
      taskId = id;
      log.info("task_accepted", { task_id: id });
    },
    retried: (error, { attempt, waitMs }) =>
      log.warn("task_retried", { task_id: taskId, ...errorFields(error), attempt, wait_ms: waitMs }),
    ended: (outcome) => {
      const state = outcome.state === "failed" ? errorFields(outcome.error).kind : outcome.state;
      answers.record({ labels: {}, outcome: state, durationMs: performance.now() - startedAt });
      tracer.current()?.set({ "crosszone.outcome": state, "crosszone.task_id": taskId });
      const fields = { task_id: taskId, duration_ms: duration() };
      if (outcome.state === "failed")
        log.error("task_failed", { ...fields, operation: "answer_question", ...failed(outcome.error) });
      else log.info(outcome.state === "done" ? "task_done" : "task_stopped", fields);
    },
    cancelFailed: (error) =>
      log.warn("task_cancel_failed", { task_id: taskId, operation: "cancel_task", ...failed(error) }),
    handleNotRevoked: (error) => log.warn("handle_not_revoked", { operation: "revoke_handle", ...failed(error) }),
    historyMissing: (error) => log.warn("history_missing", { operation: "conversations.replies", ...failed(error) }),
    placeholderMissing: (error) => log.warn("placeholder_missing", { operation: "chat.postMessage", ...failed(error) }),
    streamNotStarted: (error) => log.info("stream_not_started", { operation: "chat.startStream", ...failed(error) }),
    streamEnded: (error, next) => log.info("stream_ended", { operation: "chat.appendStream", next, ...failed(error) }),
    postRetried: (error, { attempt, waitMs }) =>
      log.warn("post_retried", { ...errorFields(error), attempt, wait_ms: waitMs }),
    uploadFailed: (error) =>
      log.warn("file_not_attached", { operation: "files.completeUploadExternal", ...failed(error) }),
    answered: (parts) => log.info("answer_posted", { task_id: taskId, parts, duration_ms: duration() }),
  };
}
