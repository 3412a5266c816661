import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";

export interface ExportFailure {
  readonly cause: unknown;
  /** Number of spans that were lost. */
  readonly spans: number;
}

/** Reports failed batches, and reports success to the SDK, which would only write to the console. */
export function reportFailures(exporter: SpanExporter, onFailure: (failure: ExportFailure) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) onFailure({ cause: result.error, spans: spans.length });
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
