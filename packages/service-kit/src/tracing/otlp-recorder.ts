import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { hideSecrets } from "../secrets.ts";
import { reportFailures, type ExportFailure } from "./report-failures.ts";
import { samplerOf } from "./sampler.ts";
import type { RecordSpan, SpanAttributes } from "./tracer.ts";
import type { SamplerName } from "./tracing-variables.ts";

export interface OtlpOptions {
  /** The whole URL. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What describes the process. https://opentelemetry.io/docs/specs/semconv/resource/ */
  readonly resource: SpanAttributes;
  readonly sampler: { readonly name: SamplerName; readonly ratio: number };
  readonly onFailure: (failure: ExportFailure) => void;
}

export interface OtlpRecorder {
  readonly record: RecordSpan;
  /** Sends what was not sent yet. */
  readonly shutdown: () => Promise<void>;
}

const kinds = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
};

/** Spans that wait to be sent; more are dropped. */
const maxQueueSize = 2_048;

/** How long sending one batch may take, its repetitions included, milliseconds. */
const timeoutMillis = 5_000;

/** Records spans with the SDK of OpenTelemetry and sends them in batches, as OTLP JSON over HTTP. Registers nothing globally. */
export function createOtlpRecorder({ endpoint, headers, resource, sampler, onFailure }: OtlpOptions): OtlpRecorder {
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(safe(resource)),
    sampler: samplerOf(sampler.name, sampler.ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportFailures(exporter, onFailure), maxQueueSize })],
  });
  const tracer = provider.getTracer("crosszone");

  return {
    record: (name, { kind, traceparent, attributes = {} }) => {
      const parent = traceparent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(traceparent));
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: safe(attributes) }, parent);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? "01" : "00"}`,
        set: (more) => void span.setAttributes(safe(more)),
        end: ({ name: newName, attributes: more = {}, error } = {}) => {
          if (newName !== undefined) span.updateName(newName);
          span.setAttributes(safe({ ...more, "error.type": error }));
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    shutdown: () => provider.shutdown(),
  };
}

function remote(traceparent: string): { traceId: string; spanId: string; traceFlags: number; isRemote: true } {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** What people and models wrote, which is recorded only where the operator asked for it. */
const contentNames = /^gen_ai\.(?:(?:input|output)\.messages|tool\.call\.(?:arguments|result))$/;

/** The longest attributes, characters. */
const [longest, longestContent] = [256, 4_096];

/** Ids come from callers too: a token in the place of one is not sent to the collector. */
function safe(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const most = contentNames.test(name) ? longestContent : longest;
      const clean = (text: string): string => hideSecrets(text).slice(0, most).toWellFormed();
      if (typeof value === "object") return [name, value.map(clean)];
      return [name, typeof value === "string" ? clean(value) : value];
    }),
  );
}
