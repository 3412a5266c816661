import type { Span, Tracer } from "@crosszone/service-kit/tracing";

export interface AgentSpanOptions {
  readonly traceparent: string | undefined;
  /** The agent's conversation. */
  readonly contextId?: string;
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
