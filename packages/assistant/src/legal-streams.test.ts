import { describe, expect, test, vi } from "vitest";
import { AssistantError, type FailureReason, failureSentences } from "./failure.ts";
import type { ProviderName } from "./models/model-choice.ts";
import {
  askAssistant,
  frames,
  type ModelReply,
  named,
  sse,
  startModelServer,
  toolThat,
  wireModels,
} from "./testing/ask-assistant.ts";

/** What the server sends to a request; nothing if it never answers. */
type Reply = ModelReply | string | Buffer | undefined;
/** The reason for people, words that operators read, and the number of requests; by default a transient failure has two. */
type Failed = readonly [reason: FailureReason, says: string, requests?: number];
/** A form, the answer or the failure of the turn, and what the server sends: to all requests, or to each in turn. */
type Row = readonly [what: string, read: string | Failed, sent: Reply | readonly Reply[]];

/** Forms that are read alike. */
const reads = (read: Row[1], forms: Readonly<Record<string, Row[2]>>): Row[] =>
  Object.entries(forms).map(([what, sent]) => [what, read, sent]);

const answer = "It is forty-two.";
const incomplete = (reason: FailureReason) => `${answer}\n\n_This answer is incomplete. ${failureSentences[reason]}_`;
const fails = (...failed: Failed): Failed => failed;
const json = (body: unknown, status = 200): ModelReply => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});
const bytes = (...all: readonly (string | Buffer)[]) => Buffer.concat(all.map((one) => Buffer.from(one as string)));

/** What can happen to a stream in any format: `begun` says the answer, and `end` says why it ended. */
const inAnyFormat = (begun: string | Buffer, end: string | Buffer): Row[] => [
  ...reads(answer, {
    "as documented": bytes(begun, end),
    "the connection breaks after the documented end": { body: bytes(begun, end), ends: "breaks" },
    "it stays open after the documented end": { body: bytes(begun, end), ends: "never" },
  }),
  ...reads(incomplete("interrupted"), {
    "the body ends without a reason": begun,
    "the connection breaks": { body: begun, ends: "breaks" },
    "it sends what is no event": bytes(begun, "data: {planted-words\n\n"),
  }),
  ["it falls silent", incomplete("silent"), { body: begun, ends: "never" }],
  ["it never answers", fails("silent", ""), undefined],
];

const page: ModelReply = { type: "text/html", body: "<html>planted-words</html>" };

// https://platform.openai.com/docs/api-reference/chat-streaming
const chunk = (delta: object | undefined, finish_reason?: string | null) => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m1",
  choices: [{ index: 0, delta, finish_reason }],
});
const say = (content: string) => chunk({ content });
const end = (reason: string | null) => chunk({}, reason);
const done = "data: [DONE]\n\n";
const words = [chunk({ role: "assistant", content: "It is " }), say("forty-two.")];
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const message = { role: "assistant", content: answer };
const lookup = { id: "call_1", type: "function", function: { name: "lookup", arguments: '{"text":"x"}' } };
const asObject = { ...lookup, function: { name: "lookup", arguments: { text: "x" } } };
const found = sse(say("Found 7."), end("stop"), done);
const refuses = (words_: string) => json({ error: { message: words_ } }, 400);
const needsFlag = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const midError = { error: { message: "Provider disconnected", code: 502 }, choices: [{ finish_reason: "error" }] };
const other = { choices: [{ index: 1, delta: { content: "No. " } }] };
const ended = sse(...words, end("stop"));

/** Streams that end with each of these reasons. */
const ends = (read: string, ...all: readonly string[]): Row[] =>
  all.flatMap((reason) => reads(read, { [`it ends with ${reason}`]: sse(...words, end(reason), done) }));

const chat: readonly Row[] = [
  ["it sends a page", fails("interrupted", ""), page],
  ...ends(answer, "eos", "eos_token", "end_turn", "STOP", "stop_sequence", "done"),
  ...ends(incomplete("output_limit"), "MAX_TOKENS", "length", "model_length"),
  ...ends(incomplete("refused"), "SAFETY", "content_filter", "sensitive"),
  ...ends(incomplete("interrupted"), "error", "abort", "insufficient_system_resource"),
  ...reads(answer, {
    "[DONE] without a reason": sse(...words, done),
    "the connection stays open": { body: sse(...words, end("stop"), done), ends: "never" },
    "the body ends after a reason": ended,
    "the connection breaks after a reason": { body: ended, ends: "breaks" },
    "it stays open after a reason": { body: sse(...words, end("stop"), { usage }), ends: "never" },
    "the last event has no blank line": ended.trimEnd(),
    "carriage returns end lines": `\uFEFF${ended}${done}`.replaceAll("\n", "\r"),
    "usage without choices": sse(...words, end("stop"), { usage }, done),
    "null as choices": sse({ choices: null, usage: null }, ...words, end("stop"), { choices: null, usage }),
    "a second choice, which nothing asked for": sse(...words.flatMap((one) => [one, other]), end("stop"), done),
    "tool_calls without a call": sse(...words, chunk({ tool_calls: [] }, "tool_calls"), done),
    "a call without a name": sse(...words, chunk({ tool_calls: [{ index: 0, function: {} }] }, "tool_calls"), done),
    "a whole completion as an event": sse({ choices: [{ message }] }, done),
    "lines of JSON": [...words, end("stop")].map((one) => JSON.stringify(one)).join("\n"),
    comments: sse(": processing\n\n", ...words, ": processing\n\n", end("stop"), done),
    pings: sse("event: ping\ndata: {}\n\n", ...words, "data: \n\ndata: ping\n\n", { type: "ping" }, end("stop")),
    "unusual members": sse({ ...chunk({ role: "model", content: answer, refusal: false }, "stop"), error: null }),
    "a thought in the text": sse(say("<think>\nHm, per"), say("son…\n</thi"), say("nk>\n\n"), ...words, done),
    "a thought that began in the prompt": json({ choices: [{ message: { content: `Hm\n</think>\n\n${answer}` } }] }),
    "[THINK]": sse(say("[THINK]Hm[/THINK]"), ...words, end("stop")),
    "a call in the text": sse(...words, say('\n<tool_call>\n{"name":"lookup"}\n</tool_call>'), end("stop")),
    "an error after the end": sse(...words, end("stop"), { error: { message: "usage was not counted" } }),
  }),
  [
    "the end of a thought alone",
    `Hm\n\n\n${answer}`,
    sse(say("Hm"), say("\n</thi"), say(`nk>\n\n${answer}`), end("stop")),
  ],
  ["a thought in the middle", "First.\nLast.", sse(say("First.\n<think>Hm</think>"), say("Last."), end("stop"))],
  ["a tag in code", "Write\n```\n<think>a\n```", sse(say("Write\n```\n<thi"), say("nk>a\n```"), end("stop"))],
  ["a tag in a line", "Write `<think>` or <think>.", sse(say("Write `<think>` or <think>."), end("stop"))],
  ...reads(incomplete("interrupted"), {
    "half an event": sse(...words, 'data: {"choices":[{"delta":{"con'),
    "reasons that say nothing": sse(...words, end(""), end("null"), end(null)),
  }),
  ["an error in the middle", incomplete("unavailable"), sse(...words, midError, done)],
  ...reads("Found 7.", {
    "a call that ends with stop": [sse(chunk({ tool_calls: [lookup] }), end("stop"), done), found],
    "a call, then [DONE]": [sse(chunk({ tool_calls: [lookup] }), done), found],
    "an index as a text": [sse(chunk({ tool_calls: [{ ...asObject, index: "0" }] }, "tool_calls")), found],
    "an error first": [sse({ error: { message: "Slow down", type: "rate_limit_error", code: 429 } }), found],
    "it refuses tools in the stream": [sse({ error: { message: "This model does not support tools" } }), found],
    "OpenRouter refuses tools": [json({ error: { message: "No endpoints found that support tool use." } }, 404), found],
    "llama.cpp refuses tools": [json({ error: { message: "tools param requires --jinja flag" } }, 500), found],
    "it refuses tool_choice, then tools": [refuses(needsFlag), refuses(needsFlag), found],
  }),
  ["a thought that is cut", fails("output_limit", "finish reason"), sse(say("<think>Hm"), end("length"))],
  ["an error as a text", fails("unknown_model", "error event"), sse({ error: "model 'm1' not found" })],
  [
    "an error by its name",
    fails("unavailable", "error event"),
    sse('event: error\ndata: {"message":"Out of memory"}\n\n'),
  ],
  ["an error without JSON", fails("unavailable", "error event: Out"), sse("event: error\ndata: Out of memory\n\n")],
  [
    "llama.cpp's error",
    fails("unavailable", "error event (status 500): slot"),
    sse('error: {"code":500,"message":"slot"}\n\n'),
  ],
  ["FastAPI's error", fails("unavailable", "error event: Crashed"), sse({ detail: "Crashed" })],
  [
    "an object as an error",
    fails("context_too_long", "error"),
    sse({ object: "error", message: "context length", code: 400 }),
  ],
  [
    "MiniMax's error",
    fails("quota", "error event"),
    json({ base_resp: { status_code: 1008, status_msg: "insufficient_quota" } }),
  ],
  ["an error with 200", fails("invalid_key", "error"), json({ error: { message: "Invalid API key", code: "401" } })],
  [
    "Gemini's error",
    fails("invalid_key", "AI_APICallError"),
    json([{ error: { code: 400, message: "API key not valid." } }], 400),
  ],
  ...reads(fails("rejected", "AI_APICallError"), {
    "it refuses a value": refuses("Invalid schema for response_format 'lookup'"),
    "it refuses a role": refuses("Unexpected role 'tool' after role 'user'"),
  }),
  ["it reads no images", fails("unsupported_file", "AI_APICallError"), refuses("image input is not supported")],
];

// https://platform.claude.com/docs/en/build-with-claude/streaming
const start = { type: "message_start", message: { id: "m", model: "c", role: "assistant", content: [] } };
const startBlock = (content_block: object) => ({ type: "content_block_start", index: 0, content_block });
const delta = (delta_: object) => ({ type: "content_block_delta", index: 0, delta: delta_ });
const stopBlock = { type: "content_block_stop", index: 0 };
const ping = { type: "ping" };
const text = (said: string) => [
  startBlock({ type: "text", text: "" }),
  delta({ type: "text_delta", text: said }),
  stopBlock,
];
const stop = (stop_reason: string | null) => ({
  type: "message_delta",
  delta: { stop_reason },
  usage: { output_tokens: 3 },
});
const uncounted = { ...stop(null), usage: undefined };
const over = { type: "message_stop" };
const said = [start, ...text(answer)];
const foundText = named(start, ...text("Found 7."), stop("end_turn"), over);
const thinking = { type: "thinking", thinking: "" };
const thought = [startBlock(thinking), delta({ type: "thinking_delta", thinking: "Hm" }), stopBlock];
const error = (type: string, words_: string) => ({ type: "error", error: { type, message: words_ } });

const messages: readonly Row[] = [
  ["it sends a page", fails("interrupted", "", 1), page],
  ...reads(answer, {
    "it ends with eos": named(...said, stop("eos"), over),
    "the connection stays open": { body: named(...said, stop("end_turn"), over), ends: "never" },
    "the body ends after the reason": named(...said, stop("end_turn")),
    "no reason at the end": named(...said, uncounted, over),
    "the connection breaks after the reason": { body: named(...said, stop("end_turn")), ends: "breaks" },
    "it stays open after a reason": { body: named(...said, stop("end_turn")), ends: "never" },
    "the last event has no blank line": named(...said, stop("end_turn"), over).trimEnd(),
    "tool_use without a call": named(...said, stop("tool_use"), over),
    "an error after the end": named(...said, stop("end_turn"), over, error("api_error", "Late")),
  }),
  ["it is cut", incomplete("output_limit"), named(...said, stop("max_tokens"), over)],
  ["an error in the middle", incomplete("overloaded"), named(...said, error("overloaded_error", "Overloaded"))],
  ...reads("Found 7.", {
    "an error first": [named(error("overloaded_error", "Overloaded")), foundText],
    "it refuses tools": [json(error("invalid_request_error", "tools: Extra inputs are not permitted"), 400), foundText],
  }),
  [
    "an error without its type",
    fails("invalid_key", "AI_APICall"),
    sse({ error: { message: "authentication failed" } }),
  ],
  [
    "an error with 200",
    fails("context_too_long", "AI_APICallError"),
    json(error("invalid_request_error", "prompt is too long")),
  ],
];

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
const begin = ["messageStart", { role: "assistant" }] as const;
const write = (text_: string) => ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: text_ } }] as const;
const begun = [begin, write(answer), ["contentBlockStop", { contentBlockIndex: 0 }]] as const;
const counted = ["metadata", { usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 } }] as const;
const ending = (stopReason: string) => frames(["messageStop", { stopReason }], counted);
const stopped = (stopReason: string) => bytes(frames(...begun), ending(stopReason));
const foundFrames = frames(begin, write("Found 7."), ["messageStop", { stopReason: "end_turn" }], counted);

const converse: readonly Row[] = [
  ["it sends a page", fails("interrupted", ""), page],
  ...reads(answer, {
    "it ends with stop_sequence": stopped("stop_sequence"),
    "it ends with eos": stopped("eos"),
    "it ends with tool_use": stopped("tool_use"),
  }),
  ["it is cut", incomplete("output_limit"), stopped("model_context_window_exceeded")],
  ["a guardrail", incomplete("refused"), stopped("guardrail_intervened")],
  ["malformed output", incomplete("interrupted"), stopped("malformed_model_output")],
  [
    "an exception in the middle",
    incomplete("unavailable"),
    frames(...begun, ["modelStreamErrorException", { message: "x" }]),
  ],
  ...reads("Found 7.", {
    "an exception first": [frames(["throttlingException", { message: "Too many requests" }]), foundFrames],
    "it refuses tools": [json({ message: "This model doesn't support tool use in streaming mode." }, 400), foundFrames],
  }),
  [
    "an unknown model",
    fails("unknown_model", "AI_API"),
    json({ message: "The provided model identifier is invalid." }, 400),
  ],
];

// https://platform.openai.com/docs/api-reference/responses-streaming
const item = { item_id: "m1", output_index: 0, content_index: 0 };
const created = { type: "response.created", response: { id: "r", created_at: 1, model: "m1" } };
const added = { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } };
const response = [created, added, { type: "response.output_text.delta", ...item, delta: answer }];
const completed = { type: "response.completed", response: { usage: { input_tokens: 5, output_tokens: 3 } } };
const crashed = { type: "error", code: "server_error", message: "crashed" };

const responses: readonly Row[] = [
  ["it sends a page", fails("no_answer", ""), page],
  ...reads(answer, {
    "the connection stays open": { body: named(...response, completed), ends: "never" },
    "the connection breaks after the last event": { body: named(...response, completed), ends: "breaks" },
    "the last event has no blank line": named(...response, completed).trimEnd(),
  }),
  ["an error in the middle", incomplete("unavailable"), named(...response, crashed)],
  [
    "an error first",
    fails("quota", "AI_APICallError"),
    sse({ error: { message: "used up", code: "insufficient_quota" } }),
  ],
];

/** A provider: the beginning of a stream in its format, the end, and what is special to it. */
interface Format {
  readonly wire: ProviderName;
  readonly begins: string | Buffer;
  readonly finishes: string | Buffer;
  readonly own: readonly Row[];
}
const documented = named(start, ping, ...thought, ...text(answer));
const formats: readonly Format[] = [
  { wire: "openai-compatible", begins: sse(...words), finishes: sse(end("stop"), done), own: chat },
  { wire: "anthropic", begins: documented, finishes: named(stop("end_turn"), over), own: messages },
  { wire: "bedrock", begins: frames(...begun), finishes: ending("end_turn"), own: converse },
  { wire: "openai", begins: named(...response), finishes: named(completed), own: responses },
];

const isList = (sent: Row[2]): sent is readonly Reply[] => Array.isArray(sent);
const repliesOf = ([, , sent]: Row): readonly Reply[] => (isList(sent) ? sent : [sent]);

/** Only a server that is silent on purpose may be taken for silent: the first call loads the provider's code. */
const silenceOf = (what: string): number => (/silent|never/.test(what) ? 5_000 : 60_000);

/** Asks a model whose server sends what the row says. Returns what people and operators read, and the number of requests. */
async function play(wire: ProviderName, row: Row) {
  const [what] = row;
  const replies = repliesOf(row);
  const { url, requests, open } = await startModelServer(() => {
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    return typeof reply === "string" || Buffer.isBuffer(reply) ? { body: reply } : reply;
  });
  const question = { tools: [toolThat(async () => ({ text: "7" }))] };
  const limits = { attempts: 2, silenceMs: silenceOf(what) };
  const asked = await askAssistant(await wireModels[wire](url), { question, limits });
  const failed = asked.error instanceof AssistantError ? asked.error : undefined;
  await vi.waitUntil(() => open.size === 0, 60_000);
  return {
    form: `${wire}: ${what}`,
    text: asked.answer?.text,
    reason: failed?.reason,
    message: failed?.message,
    requests: requests.length,
    isLeaked: JSON.stringify([asked, String(asked.error)]).includes("planted"),
  };
}

const retried: ReadonlySet<FailureReason> = new Set(["unavailable", "interrupted", "silent"]);

/** Returns what is right. */
function rightOf(wire: ProviderName, row: Row) {
  const [what, read] = row;
  const right = { form: `${wire}: ${what}`, requests: repliesOf(row).length, isLeaked: false };
  if (typeof read === "string") return { ...right, text: read };
  const [reason, says, requests = retried.has(reason) ? 2 : right.requests] = read;
  return { ...right, reason, message: expect.stringContaining(says) as unknown, requests };
}

/** Whether the client has to wait for what does not come. */
const waits = (row: Row): boolean =>
  repliesOf(row).some((reply) => reply === undefined || (typeof reply === "object" && "ends" in reply));

const all = formats.map(({ wire, begins, finishes, own }) => ({
  wire,
  begins,
  rows: [...inAnyFormat(begins, finishes), ...own],
}));

test("J5, J6, J7, J8: streams that fall silent, stay open or break, as a person reads their answers", async () => {
  // The first call of each loads the provider's code, which is no silence of the model.
  for (const { wire, rows } of all) await play(wire, rows.find((one) => !waits(one)) as Row);
  const open = all.flatMap(({ wire, rows }) => rows.filter(waits).map((row) => [wire, row] as const));
  const read = await Promise.all(open.map((one) => play(...one)));
  expect(read).toEqual(open.map((one) => rightOf(...one)));
});

describe.each(all)("J5, J6, J7, J8: a stream of $wire, as a person reads its answer", ({ wire, begins, rows }) => {
  test.each(rows.filter((row) => !waits(row)))("%s", async (...row) => {
    expect(await play(wire, row)).toEqual(rightOf(wire, row));
  });

  test("a stopped turn closes the connection to the provider, and counts what was sent", async () => {
    const { url, open } = await startModelServer(() => ({ body: begins, ends: "never" }));
    const controller = new AbortController();
    const reason = new Error("canceled");
    const onText = (): void => controller.abort(reason);
    const { error: thrown, usage: counts } = await askAssistant(await wireModels[wire](url), {
      signal: controller.signal,
      onText,
    });
    expect(thrown).toBe(reason);
    expect(counts).toMatchObject([{ estimated: true, output_tokens: expect.any(Number) as number }]);
    expect(counts[0]?.output_tokens).toBeGreaterThan(0);
    await vi.waitUntil(() => open.size === 0, 15_000);
  });
});
