import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { createGoodMethods, type GoodMethods, isStream, RpcError, type Subscription } from "./good-methods.ts";
import type { GoodTask } from "./good-tasks.ts";

/** One way in which an agent differs from the good one. */
export interface Deviation {
  readonly versions?: readonly ("1.0" | "0.3")[];
  readonly card?: (card: JsonObject) => JsonObject;
  /** Changes a method. */
  readonly methods?: (methods: GoodMethods, tasks: ReadonlyMap<string, GoodTask>) => Partial<GoodMethods>;
  /** Changes each result, in the words of its version. */
  readonly result?: (result: JsonObject) => unknown;
  /** Changes each JSON-RPC response. */
  readonly response?: (response: JsonObject, request: JsonObject) => unknown;
  /** Changes each HTTP response. */
  readonly http?: (response: Response, request: JsonObject) => Response | Promise<Response>;
  /** Returns what a stream sends instead of an event. */
  readonly event?: (event: JsonObject) => readonly JsonObject[];
  readonly streamStaysOpen?: true;
  readonly ignoresVersion?: true;
}

const names03: Readonly<Record<string, string>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/cancel": "CancelTask",
  "tasks/resubscribe": "SubscribeToTask",
  "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
  "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
};

const json = (body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { headers: { "content-type": "application/json", ...headers } });

/** Serves an agent that complies with both versions of A2A, but for the deviation. Returns its `fetch`. */
export function createGoodAgent(deviation: Deviation = {}, baseUrl: string = agentUrl): typeof globalThis.fetch {
  const { versions = ["1.0", "0.3"], card = (whole) => whole, http = (response) => response } = deviation;
  const { methods, tasks } = createGoodMethods();
  const served = { ...methods, ...deviation.methods?.(methods, tasks) };
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const cached = { "cache-control": "max-age=60", etag: '"1"' };
    if (url.pathname.endsWith("agent-card.json")) return json(card(goodCard(versions, baseUrl)), cached);
    if (url.origin + url.pathname !== baseUrl) return new Response(null, { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const requested = request.headers.get("a2a-version") || url.searchParams.get("A2A-Version");
    const version = deviation.ignoresVersion ? "1.0" : (/^\d+\.\d+/.exec(requested || "0.3")?.[0] ?? "");
    const body = await request.json().catch(() => undefined);
    const answer = await respond(body, { version, versions, served, deviation });
    return http(answer, objectOf(body) ?? {});
  };
}

interface Serving {
  readonly version: string;
  readonly versions: readonly string[];
  readonly served: GoodMethods;
  readonly deviation: Deviation;
}

async function respond(body: unknown, serving: Serving): Promise<Response> {
  const { version, versions, served, deviation } = serving;
  const { response = (whole) => whole, result: changed = (whole) => whole } = deviation;
  const request = objectOf(body) ?? {};
  const id = request["id"] ?? null;
  const wrap = (members: JsonObject): unknown => response({ jsonrpc: "2.0", id, ...members }, request);
  try {
    if (body === undefined) throw new RpcError(-32700, "JSON_PARSE");
    const { jsonrpc, method, params = {} } = request;
    if (jsonrpc !== "2.0" || typeof method !== "string") throw new RpcError(-32600, "INVALID_REQUEST");
    if (!("id" in request)) return new Response(null, { status: 204 });
    if (!versions.includes(version)) throw new RpcError(-32009, "VERSION_NOT_SUPPORTED");
    const name = version === "0.3" ? (names03[method] ?? "") : method;
    const run = Object.hasOwn(served, name) ? served[name as keyof GoodMethods] : undefined;
    if (!run) throw new RpcError(-32601, "METHOD_NOT_FOUND");
    if (!isObject(params)) throw new RpcError(-32602, "INVALID_PARAMS");
    const encode = (result: JsonObject): unknown => changed(version === "0.3" ? (asV03(result) as JsonObject) : result);
    const done = await run(asV1(params, version));
    if (!isStream(done)) return json(wrap({ result: encode(done) }));
    return streamOf(done.subscribe, { deviation, line: (event) => wrap({ result: encode(event) }) });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const details = [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: error.message, domain: "a2a-protocol.org" },
    ];
    return json(wrap({ error: { code: error.code, message: error.message, data: details } }));
  }
}

/** Reads the params of A2A 0.3 as those of A2A 1.0. */
function asV1(params: JsonObject, version: string): JsonObject {
  const message = objectOf(params["message"]);
  if (version === "1.0" || !message) return params;
  const role = message["role"] === "user" ? "ROLE_USER" : message["role"];
  const waits = objectOf(params["configuration"])?.["blocking"] !== false;
  return { ...params, message: { ...message, role }, configuration: { returnImmediately: !waits } };
}

function streamOf(
  subscribe: Subscription["subscribe"],
  { deviation, line }: { readonly deviation: Deviation; readonly line: (event: JsonObject) => unknown },
): Response {
  const { event: changed = (event) => [event], streamStaysOpen } = deviation;
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      const publish = (event: JsonObject): void => {
        for (const each of changed(event))
          if (open) stream.enqueue(Buffer.from(`data: ${JSON.stringify(line(each))}\n\n`));
      };
      subscribe(publish, () => {
        if (open && !streamStaysOpen) stream.close();
        open &&= streamStaysOpen === true;
      });
    },
    cancel: () => void (open = false),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export const agentUrl = "http://agent.test/";

/** A card for both versions of A2A. */
export function goodCard(versions: readonly string[], url: string): JsonObject {
  return {
    name: "Good agent",
    description: "Complies.",
    version: "1.0.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "comply", name: "Comply", description: "Complies.", tags: ["test"] }],
    ...(versions.includes("1.0") && {
      supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding: "JSONRPC", protocolVersion })),
    }),
    ...(versions.includes("0.3") && { url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" }),
  };
}

const word = (value: unknown): string =>
  String(value)
    .replace(/^(TASK_STATE|ROLE)_/, "")
    .toLowerCase()
    .replace("_", "-");

const partOf = ({ text, raw, filename, mediaType }: JsonObject): JsonObject =>
  raw === undefined
    ? { kind: "text", text }
    : { kind: "file", file: { bytes: raw, name: filename, mimeType: mediaType } };

/** Writes a result of A2A 1.0 as A2A 0.3 does. */
export function asV03(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asV03);
  if (!isObject(value)) return value;
  const inner: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "parts" ? (member as JsonObject[]).map(partOf) : asV03(member),
    ]),
  );
  const { task, message, statusUpdate, artifactUpdate, ...others } = inner;
  if (isObject(task)) return task;
  if (isObject(artifactUpdate)) return { ...artifactUpdate, kind: "artifact-update" };
  if (isObject(statusUpdate)) return { ...statusUpdate, kind: "status-update", final: isFinal(statusUpdate) };
  const whole: JsonObject = { ...others, ...(message !== undefined && { message }) };
  if ("state" in whole) return { ...whole, state: word(whole["state"]) };
  if ("messageId" in whole) return { ...whole, role: word(whole["role"]), kind: "message" };
  return "status" in whole && "id" in whole ? { ...whole, kind: "task" } : whole;
}

const isFinal = ({ status }: JsonObject): boolean =>
  isObject(status) && ["completed", "failed", "canceled", "input-required"].includes(String(status["state"]));
