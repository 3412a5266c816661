import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { serve } from "@crosszone/testkit/temporary";

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z
      .strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) })
      .transform(({ values }) => values.map(({ stringValue }) => stringValue)),
  }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().regex(/^[a-z][a-z0-9_.]*$/), value }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value: given }) => [key, Object.values(given)[0]])));
const nanos = z.string().regex(/^\d{19}$/);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);
const span = z.strictObject({
  traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1).max(100),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2) }),
  events: z.array(z.never()),
  links: z.array(z.never()),
  flags: z.int(),
  traceState: z.string().optional(),
  droppedAttributesCount: z.literal(0),
  droppedEventsCount: z.literal(0),
  droppedLinksCount: z.literal(0),
});

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/collector/trace/v1/trace_service.proto */
const request = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes, droppedAttributesCount: z.literal(0) }),
        scopeSpans: z.array(
          z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span).min(1) }),
        ),
      }),
    )
    .min(1),
});

/** A received span with the name of its service. */
export type CollectedSpan = z.output<typeof span> & { service: unknown };

type OtlpCollector = Awaited<ReturnType<typeof startOtlpCollector>>;

/** Starts a collector of OTLP JSON on loopback. It refuses requests that violate the protocol. Ends with the test. */
export async function startOtlpCollector() {
  const collector = {
    spans: [] as CollectedSpan[],
    /** Reasons why requests were refused. Empty if all followed the protocol. */
    problems: [] as string[],
    /** All received headers and bodies, as text. */
    raw: [] as string[],
  };
  const url = await serve(async (incoming, response) => {
    const problem = await take(incoming, collector);
    if (problem !== undefined) collector.problems.push(problem);
    response.writeHead(problem === undefined ? 200 : 400, { "content-type": "application/json" }).end("{}");
  });
  return { url, ...collector };
}

async function take(
  incoming: IncomingMessage,
  { spans, raw }: Pick<OtlpCollector, "spans" | "raw">,
): Promise<string | undefined> {
  const body = Buffer.concat(await incoming.toArray()).toString();
  raw.push(`${JSON.stringify(incoming.headers)}\n${body}`);
  const line = `${incoming.method} ${incoming.url} ${incoming.headers["content-type"]}`;
  if (line !== "POST /v1/traces application/json") return line;
  const read = request.safeParse(JSON.parse(body));
  if (!read.success) return z.prettifyError(read.error);
  for (const { resource, scopeSpans } of read.data.resourceSpans)
    for (const one of scopeSpans.flatMap((scope) => scope.spans)) {
      if (BigInt(one.endTimeUnixNano) < BigInt(one.startTimeUnixNano)) return `${one.name} ends before it begins`;
      spans.push({ ...one, service: resource.attributes["service.name"] });
    }
  return undefined;
}
