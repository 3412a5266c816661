import type { ServerResponse } from "node:http";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { serve } from "@crosszone/testkit/temporary";

/** How the server misbehaves after the beginning of an answer, or instead of it. */
export type Breaking =
  | "the socket dies"
  | "it ends without a finish"
  | "it sends what is no event"
  | "it sends a page"
  | "it falls silent"
  | "it never answers";

/** The beginning of a streamed answer that says "Half an", in each provider's format. */
const sse = (events: readonly object[]): string =>
  events
    .map((event) => `event: ${"type" in event ? String(event.type) : "message"}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");

const openAiItem = { item_id: "m1", output_index: 0, content_index: 0 };
const beginnings: Readonly<Record<string, string | Buffer>> = {
  "/v1/messages": sse([
    {
      type: "message_start",
      message: { id: "m", model: "c", role: "assistant", content: [], usage: { input_tokens: 5, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half an" } },
  ]),
  "/v1/responses": sse([
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5.2" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } },
    { type: "response.output_text.delta", ...openAiItem, delta: "Half an" },
  ]),
  "/v1/chat/completions": sse([
    { id: "c", created: 1, model: "q", choices: [{ index: 0, delta: { role: "assistant", content: "Half an" } }] },
  ]),
  "/model": Buffer.concat([
    frame("messageStart", { role: "assistant" }),
    frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Half an" } }),
  ]),
};

function frame(type: string, body: object): Buffer {
  const encoder = new TextEncoder();
  const codec = new EventStreamCodec(
    (bytes) => new TextDecoder().decode(bytes),
    (text) => encoder.encode(text),
  );
  const header = (value: string) => ({ type: "string" as const, value });
  return Buffer.from(
    codec.encode({
      headers: {
        ":message-type": header("event"),
        ":event-type": header(type),
        ":content-type": header("application/json"),
      },
      body: encoder.encode(JSON.stringify(body)),
    }),
  );
}

/** Starts a provider whose streams break. Ends with the test. */
export async function startBreakingServer(breaking: Breaking) {
  let requests = 0;
  const closed = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    requests += 1;
    request.resume();
    response.once("close", closed.resolve);
    const path = Object.keys(beginnings).find((one) => request.url?.startsWith(one) === true) ?? "";
    const type = path === "/model" ? "application/vnd.amazon.eventstream" : "text/event-stream";
    request.on("end", () => breakOff(breaking, response, { type, beginning: beginnings[path] ?? "" }));
  });
  return {
    url,
    /** The number of requests. */
    count: () => requests,
    /** Resolves when either side closes the connection of the first answer. */
    closed: closed.promise,
  };
}

function breakOff(
  breaking: Breaking,
  response: ServerResponse,
  { type, beginning }: { readonly type: string; readonly beginning: string | Buffer },
): void {
  if (breaking === "it never answers") return;
  if (breaking === "it sends a page") {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>planted-words</html>");
    return;
  }
  response.writeHead(200, { "content-type": type }).write(beginning);
  if (breaking === "it falls silent") return;
  const afterwards = {
    "the socket dies": () => response.destroy(),
    "it ends without a finish": () => response.end(),
    "it sends what is no event": () => response.end("data: {planted-words\n\n"),
  };
  // The client has to read the beginning first.
  setTimeout(afterwards[breaking], 50);
}
