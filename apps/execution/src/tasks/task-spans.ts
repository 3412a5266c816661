import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { Task } from "./task.ts";

/** Begins the span of a task, from its start to its end. Ids and the agent's name, nothing of what is asked. */
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
  /** The conversation that the agent is asked in. */
  readonly contextId?: string | undefined;
}

/** Begins the span of an agent's own work. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ */
export function beginAgentSpan(tracer: Tracer, agent: string, { traceparent, contextId }: AgentSpanOptions): Span {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "crosszone",
    "gen_ai.agent.name": agent,
    "gen_ai.conversation.id": contextId,
  };
  return tracer.start(`invoke_agent ${agent}`, { kind: "internal", traceparent, attributes });
}
