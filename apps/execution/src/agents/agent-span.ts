import type { Span, Tracer } from "@crosszone/service-kit/tracing";

/** Starts the span of an agent's own work; `contextId` is the agent's conversation. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ */
export function beginAgentSpan(
  tracer: Tracer,
  agent: string,
  { traceparent, contextId }: { readonly traceparent: string | undefined; readonly contextId?: string },
): Span {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "crosszone",
    "gen_ai.agent.name": agent,
    "gen_ai.conversation.id": contextId,
  };
  return tracer.start(`invoke_agent ${agent}`, { kind: "internal", traceparent, attributes });
}
