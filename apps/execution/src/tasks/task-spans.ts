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

export interface AgentSpanOptions {
  readonly traceparent: string | undefined;
  /** The agent's conversation. */
  readonly contextId?: string | undefined;
}

/** Starts the span of an agent's own work. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ */
export function beginAgentSpan(tracer: Tracer, agent: string, { traceparent, contextId }: AgentSpanOptions): Span {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "crosszone",
    "gen_ai.agent.name": agent,
    "gen_ai.conversation.id": contextId,
  };
  return tracer.start(`invoke_agent ${agent}`, { kind: "internal", traceparent, attributes });
}
