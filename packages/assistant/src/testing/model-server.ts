import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { serve } from "@crosszone/testkit/temporary";
import { EventStreamCodec } from "@smithy/eventstream-codec";

/** So few that lines, events and characters are split. */
const pieceBytes = 31;

/** What a model's server sends for one request. */
export interface ModelReply {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Buffer;
  /** How the connection ends: closed, broken, or left open. */
  readonly ends?: "breaks" | "never";
}

/** One request of a model's client. */
export interface ModelRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Starts a server that answers each request as `replyTo` says, in small pieces, or not at all. Ends with the test.
 */
export async function startModelServer(replyTo: (request: ModelRequest) => ModelReply | undefined) {
  const requests: ModelRequest[] = [];
  const open = new Set<ModelRequest>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const asked = { path: request.url ?? "", body: JSON.parse(text) as ModelRequest["body"] };
    requests.push(asked);
    open.add(asked);
    response.once("close", () => open.delete(asked));
    const reply = replyTo(asked);
    if (reply === undefined) return;
    const { status = 200, type = "text/event-stream", body, ends } = reply;
    response.writeHead(status, { "content-type": type });
    const bytes = Buffer.from(body as string);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      response.write(bytes.subarray(at, at + pieceBytes));
      await setImmediate();
    }
    // The client has to read the beginning first.
    if (ends === "breaks") await delay(50).then(() => response.destroy());
    else if (ends === undefined) response.end();
  };
  const url = await serve((request, response) => void answer(request, response));
  return {
    url,
    requests,
    /** The requests whose connections neither side has closed or answered. */
    open,
  };
}

/** Events of a stream: an object is JSON, a text is sent as it is. */
export const sse = (...events: readonly (object | string)[]): string =>
  events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`)).join("");

/** Anthropic's events, with their names. */
export const named = (...events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** Bedrock's events and exceptions, by name. */
export function frames(...events: readonly (readonly [type: string, body: object])[]): Buffer {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );
  const header = (value: string) => ({ type: "string" as const, value });
  const encoded = events.map(([type, body]) => {
    const kind = type.endsWith("Exception") ? "exception" : "event";
    const headers = {
      ":message-type": header(kind),
      [`:${kind}-type`]: header(type),
      ":content-type": header("application/json"),
    };
    return codec.encode({ headers, body: Buffer.from(JSON.stringify(body)) });
  });
  return Buffer.concat(encoded);
}
