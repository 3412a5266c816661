import { frames, type ModelReply, named, sse, startModelServer } from "./model-server.ts";

/** The beginning of a streamed answer that says "Half an", in each provider's format. */
const beginnings: Readonly<Record<string, string | Buffer>> = {
  "/v1/messages": named(
    { type: "message_start", message: { id: "m", model: "c", role: "assistant", content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half an" } },
  ),
  "/v1/responses": named(
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5.2" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } },
    { type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0, delta: "Half an" },
  ),
  "/v1/chat/completions": sse({ choices: [{ index: 0, delta: { role: "assistant", content: "Half an" } }] }),
  "/model": frames(
    ["messageStart", { role: "assistant" }],
    ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Half an" } }],
  ),
};

/** How a server misbehaves after the beginning of an answer, or instead of it. */
const replies = {
  "the socket dies": (body) => ({ body, ends: "breaks" }),
  "it ends without a finish": (body) => ({ body }),
  "it sends what is no event": (body) => ({ body: Buffer.concat([body, Buffer.from("data: {planted-words\n\n")]) }),
  "it sends a page": () => ({ type: "text/html", body: "<html>planted-words</html>" }),
  "it falls silent": (body) => ({ body, ends: "never" }),
  "it never answers": () => undefined,
} satisfies Readonly<Record<string, (beginning: Buffer) => ModelReply | undefined>>;

export type Breaking = keyof typeof replies;

/** Starts a provider whose streams break. Ends with the test. */
export const startBreakingServer = (breaking: Breaking) =>
  startModelServer(({ path }) => {
    const [, beginning = ""] = Object.entries(beginnings).find(([start]) => path.startsWith(start)) ?? [];
    return replies[breaking](Buffer.from(beginning as string));
  });
