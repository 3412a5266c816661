import { setTimeout as pause } from "node:timers/promises";
import { createAgent, type Handler, UserError } from "@crosszone/agent";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { asJson, type JsonObject, objectOf } from "../wire.ts";

/** A JSON-RPC error that a method answers with. */
export class MethodError extends Error {
  override readonly name = "MethodError";
  readonly error: JsonObject;

  constructor(error: JsonObject) {
    super(String(error["message"]));
    this.error = error;
  }
}

/** Methods of A2A 1.0. They throw a `MethodError`. */
type Methods = Readonly<
  Record<"SendMessage" | "SendStreamingMessage" | "GetTask" | "CancelTask", (params: JsonObject) => Promise<JsonObject>>
>;

/** One way in which an agent differs from the good one. */
export interface Deviation {
  readonly versions?: readonly ("1.0" | "0.3")[];
  readonly card?: (card: JsonObject) => JsonObject;
  /** Returns methods of A2A 1.0 that replace the agent's own. */
  readonly methods?: (methods: Methods) => Partial<Methods>;
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

export const agentUrl = "http://agent.test/";

/** Answers, slowly, with a question, with a file or with a failure. */
const handler: Handler = async function* ({ text }, task) {
  task.progress("On it.");
  if (text === "fail") throw new UserError("The archive burned down.");
  if (text === "ask") await task.ask("Which city?");
  for (const piece of ["One ", "two ", "three."]) {
    if (text === "slow") await pause(750, undefined, { signal: task.signal });
    yield piece;
  }
  if (text === "file") task.file("a.csv", "text/csv", "a,b\n");
};

/** Serves an agent that complies with both versions of A2A, but for the deviation. Returns its `fetch`. */
export function createGoodAgent(deviation: Deviation = {}, url: string = agentUrl): typeof globalThis.fetch {
  const { versions = ["1.0", "0.3"], card = (whole) => whole, http = (response) => response } = deviation;
  const own = { name: "Good agent", description: "Complies.", url, card: interfacesOf(versions, url) };
  const agent = createAgent(own, handler);
  const post = (body: string, version: string): Promise<Response> =>
    agent.fetch(
      new Request(url, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": version },
        body,
      }),
    );
  const methods = new Proxy({} as Methods, {
    get: (_, method) => (params: JsonObject) => callMethod(post, method, params),
  });
  const replaced: Readonly<Record<string, Methods[keyof Methods]>> = { ...deviation.methods?.(methods) };
  return async (input, init) => {
    const request = new Request(input, init);
    const at = new URL(request.url);
    if (request.method !== "POST") {
      const response = await agent.fetch(request);
      if (!at.pathname.endsWith("agent-card.json")) return response;
      return Response.json(card((await response.json()) as JsonObject), { headers: response.headers });
    }
    if (at.origin + at.pathname !== url) return new Response(null, { status: 404 });
    const text = await request.text();
    const body = objectOf(asJson(text)) ?? {};
    const stated = request.headers.get("a2a-version") || at.searchParams.get("A2A-Version") || "0.3";
    const version = deviation.ignoresVersion ? "1.0" : stated;
    const isOffered = versions.some((offered) => version.startsWith(offered));
    const isValid = isOffered && body["jsonrpc"] === "2.0";
    const replacement = isValid ? replaced[String(body["method"])] : undefined;
    const response =
      replacement === undefined
        ? await post(text, isOffered ? version : "99.0")
        : Response.json({
            jsonrpc: "2.0",
            id: body["id"],
            ...(await outcomeOf(replacement(objectOf(body["params"]) ?? {}))),
          });
    return http(await deviate(response, body, deviation), body);
  };
}

/** The members of the card that name the interfaces: a card can offer one version or both. */
function interfacesOf(versions: readonly string[], url: string): JsonObject {
  const interfaces = versions.map((protocolVersion) => ({ url, protocolBinding: "JSONRPC", protocolVersion }));
  return {
    supportedInterfaces: versions.includes("1.0") ? interfaces : undefined,
    ...(!versions.includes("0.3") && { url: undefined, preferredTransport: undefined, protocolVersion: undefined }),
  };
}

async function callMethod(
  post: (body: string, version: string) => Promise<Response>,
  method: string | symbol,
  params: JsonObject,
): Promise<JsonObject> {
  const response = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), "1.0");
  const { error, result } = (await response.json()) as { readonly error?: JsonObject; readonly result?: JsonObject };
  if (error !== undefined) throw new MethodError(error);
  return result ?? {};
}

const outcomeOf = (result: Promise<JsonObject>): Promise<JsonObject> =>
  result.then(
    (value) => ({ result: value }),
    (failed: unknown) => {
      if (!(failed instanceof MethodError)) throw failed;
      return { error: failed.error };
    },
  );

/** Changes the response of the good agent: a stream event by event. */
async function deviate(response: Response, request: JsonObject, deviation: Deviation): Promise<Response> {
  const { response: changed = (whole) => whole, result = (whole) => whole, event = (whole) => [whole] } = deviation;
  const change = ({ result: own, ...whole }: JsonObject): unknown =>
    changed(own === undefined ? whole : { ...whole, result: result(own as JsonObject) }, request);
  const { status, headers, body } = response;
  if (body === null) return response;
  if (headers.get("content-type") !== "text/event-stream")
    return Response.json(change((await response.json()) as JsonObject), { status, headers });
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const lines = new TransformStream<{ readonly data: string }, string>({
    transform: ({ data }, stream) => {
      const whole = JSON.parse(data) as JsonObject;
      for (const each of event(whole["result"] as JsonObject))
        stream.enqueue(`data: ${JSON.stringify(change({ ...whole, result: each }))}\n\n`);
    },
    flush: () => (deviation.streamStaysOpen ? new Promise(() => {}) : undefined),
  });
  return new Response(events.pipeThrough(lines).pipeThrough(new TextEncoderStream()), { status, headers });
}

/** Serves an agent of Simple A2A that complies, but for the change of each response. Returns its `fetch`. */
export function createSimpleFixture(
  change: (response: JsonObject, request: JsonObject) => Response | JsonObject = (response) => response,
): typeof globalThis.fetch {
  return async (resource, init) => {
    const request = new Request(resource, init);
    if (request.method !== "POST") return new Response(null, { status: request.url.endsWith(".json") ? 404 : 405 });
    const body = objectOf(await request.json().catch(() => undefined));
    if (body?.["input"] === undefined) return Response.json({ error: "input is missing" }, { status: 400 });
    const { task_id, input } = body;
    const fails = objectOf(input)?.["text"] === "fail";
    const outcome = fails
      ? { status: "error", output: null, error: "The archive burned down." }
      : { status: "success", output: { text: "One two three." }, error: null };
    const changed = change({ task_id, ...outcome }, body);
    return changed instanceof Response ? changed : Response.json(changed);
  };
}
