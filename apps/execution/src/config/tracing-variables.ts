import { defineConfig } from "@crosszone/service-kit";
import { defineTracingVariables } from "@crosszone/service-kit/tracing";
import { z } from "zod";

/** Values of OpenTelemetry's own instrumentations; the first two are older spellings. There are no events that could hold content. */
const captures = ["true", "false", "SPAN_ONLY", "NO_CONTENT"] as const;

/** Where traces go, how many, and what they hold. */
export const tracingVariables = {
  ...defineTracingVariables("crosszone-execution"),
  ...defineConfig({
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
      schema: z
        .enum(captures)
        .transform((capture) => capture === "true" || capture === "SPAN_ONLY")
        .describe("NO_CONTENT or SPAN_ONLY"),
      default: "NO_CONTENT",
      description:
        "SPAN_ONLY records prompts, answers and tool calls in spans, shortened. Use it only if the collector can store private text.",
      group: "Logs and traces",
    },
  }),
};
