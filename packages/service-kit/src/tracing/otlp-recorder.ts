import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { proxyEnv } from "../http/outgoing.ts";
import { hideSecrets } from "../logging/redact.ts";
import type { RecordedSpan, SpanAttributes, SpanOptions } from "./tracer.ts";

interface OtlpOptions {
  /** The complete URL. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process. https://opentelemetry.io/docs/specs/semconv/resource/ */
  readonly resource: SpanAttributes;
  /** Share of recorded traces, 0 to 1. A trace that a caller began is recorded if the caller records it. */
  readonly share: number;
  readonly onFailure: (failure: ExportFailure) => void;
}

const kinds = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
};

/** Maximum number of queued spans; further ones are dropped. */
const maxQueueSize = 2_048;

/** Timeout for sending one batch, including retries, milliseconds. */
const timeoutMillis = 5_000;

/** Records spans with the SDK of OpenTelemetry and sends them in batches, as OTLP JSON over HTTP. Registers nothing globally. */
export function createOtlpRecorder({ endpoint, headers, resource, share, onFailure }: OtlpOptions) {
  const httpAgentOptions = { keepAlive: true, proxyEnv: proxyEnv() };
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis, httpAgentOptions });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(safe(resource)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportFailures(exporter, onFailure), maxQueueSize })],
  });
  const tracer = provider.getTracer("crosszone");

  return {
    record: (name: string, { kind, traceparent, attributes = {} }: SpanOptions): RecordedSpan => {
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
    /** Sends the remaining spans. */
    shutdown: (): Promise<void> => provider.shutdown(),
  };
}

function remote(traceparent: string): { traceId: string; spanId: string; traceFlags: number; isRemote: true } {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** Content of people and models, recorded only if the operator enables it. */
const contentNames = /^gen_ai\.(?:(?:input|output)\.messages|tool\.call\.(?:arguments|result))$/;

/** The longest attributes, characters. */
const [longest, longestContent] = [256, 4_096];

/** Ids can come from callers, so a token in place of an id is redacted. */
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

interface ExportFailure {
  readonly cause: unknown;
  /** Number of spans that were lost. */
  readonly spans: number;
}

/** Reports failed batches, and reports success to the SDK, which would only write to the console. */
function reportFailures(exporter: SpanExporter, onFailure: (failure: ExportFailure) => void): SpanExporter {
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
