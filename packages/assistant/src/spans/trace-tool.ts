import type { ToolResult } from "../tools/assistant-tool.ts";
import { cutJson } from "./call-content.ts";
import type { TurnTracer } from "./call-tracer.ts";
import { errorTypeOf } from "./error-type.ts";

export interface TracedTool {
  /** The model's id for the call. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/**
 * Runs a tool in a span `execute_tool <tool>`; `run` receives the span's `traceparent`.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/#execute-tool-span
 */
export async function traceTool(
  run: (traceparent: string | undefined) => Promise<ToolResult>,
  { id, name, input, signal }: TracedTool,
  { tracer, traceparent }: TurnTracer,
): Promise<ToolResult> {
  const { capturesContent } = tracer;
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": id,
    ...(capturesContent && { "gen_ai.tool.call.arguments": cutJson(input) }),
  };
  const span = tracer.start(`execute_tool ${name}`, { kind: "internal", traceparent, attributes });
  try {
    const result = await run(span.traceparent);
    span.end({
      ...(capturesContent && { attributes: { "gen_ai.tool.call.result": cutJson(result.text) } }),
      error: result.failed === true ? "failed" : undefined,
    });
    return result;
  } catch (error) {
    span.end({ error: errorTypeOf(error, signal) });
    throw error;
  }
}
