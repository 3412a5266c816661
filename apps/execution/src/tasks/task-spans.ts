import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { Task } from "./task.ts";

/** Starts the span of a task, from its start to its end. It contains ids and the agent's name, but no content. */
export function beginTaskSpan(tracer: Tracer, { task_id, correlation_id, agent, traceparent }: Task): Span {
  const attributes = {
    "crosszone.task_id": task_id,
    "crosszone.correlation_id": correlation_id,
    "crosszone.agent": agent,
  };
  return tracer.start("run_task", { kind: "internal", traceparent, attributes });
}
