import { type FailureReason, failureSentences } from "@crosszone/assistant";
import { createAssistant, openModel } from "@crosszone/assistant/runtime";
import { frames, type ModelReply, named, sse, startModelServer } from "@crosszone/assistant/testing";
import { type Agent, createAssistantAgent } from "@crosszone/execution";
import { createTracer } from "@crosszone/service-kit/tracing";
import { expect, test, vi } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 120_000 });

/**
 * What the server does, all that the person reads, and what the server sends to each request in turn. A failure has the
 * provider's words for operators, too.
 */
type Row = readonly [what: string, read: string | Failed, ...replies: readonly (ModelReply | string | Buffer)[]];
type Failed = readonly [read: string, log: string];

const answer = "It is forty-two.";
const incomplete = (reason: FailureReason) => `${answer}\n\n_This answer is incomplete. ${failureSentences[reason]}_`;
const failed = (reason: FailureReason, says: string): Failed => [
  `${failureSentences[reason]}\n_Reference: 0_`,
  `${reason}: ${says}`,
];
const json = (body: unknown, status = 200): ModelReply => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});
const breaks = (body: string | Buffer): ModelReply => ({ body, ends: "breaks" });

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
const foundJson = json({ choices: [{ message: { content: "Found 7." }, finish_reason: "stop" }] });
const refuses = (words_: string, more: object = {}) => json({ error: { message: words_, ...more } }, 400);
const newName = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
const needsFlag = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const noExtras = json({ detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] }, 422);
const verified = "Your organization must be verified to stream this model.";
const midError = { error: { message: "Provider disconnected", code: 502 }, choices: [{ finish_reason: "error" }] };

const ends = (reason: string, read = answer): Row => [`it ends with ${reason}`, read, sse(...words, end(reason), done)];

const chat: readonly Row[] = [
  ...["stop", "eos", "eos_token", "end_turn", "STOP", "stop_sequence", "done"].map((reason) => ends(reason)),
  ...["MAX_TOKENS", "length", "model_length"].map((reason) => ends(reason, incomplete("output_limit"))),
  ...["SAFETY", "content_filter", "sensitive"].map((reason) => ends(reason, incomplete("refused"))),
  ...["error", "abort", "insufficient_system_resource"].map((reason) => ends(reason, incomplete("interrupted"))),
  ["[DONE] without a reason", answer, sse(...words, done)],
  ["the body ends after a reason", answer, sse(...words, end("stop"))],
  ["the connection breaks after a reason", answer, breaks(sse(...words, end("stop")))],
  ["the connection stays open", answer, { body: sse(...words, end("stop"), done), ends: "never" }],
  ["it stays open after a reason", answer, { body: sse(...words, end("stop"), { usage }), ends: "never" }],
  ["the last event has no blank line", answer, sse(...words, end("stop")).trimEnd()],
  ["carriage returns end lines", answer, `\uFEFF${sse(...words, end("stop"), done)}`.replaceAll("\n", "\r")],
  ["the body ends without a reason", incomplete("interrupted"), sse(...words)],
  ["half an event", incomplete("interrupted"), sse(...words, 'data: {"choices":[{"delta":{"con')],
  ["reasons that say nothing", incomplete("interrupted"), sse(...words, end(""), end("null"), end(null))],
  ["usage without choices", answer, sse(...words, end("stop"), { usage }, done)],
  ["null as choices", answer, sse({ choices: null, usage: null }, ...words, end("stop"), { choices: null, usage })],
  [
    "a second choice, which nothing asked for",
    answer,
    sse(...words.flatMap((one) => [one, { choices: [{ index: 1, delta: { content: "No. " } }] }]), end("stop"), done),
  ],
  ["tool_calls without a call", answer, sse(...words, chunk({ tool_calls: [] }, "tool_calls"), done)],
  ["a call that ends with stop", "Found 7.", sse(chunk({ tool_calls: [lookup] }), end("stop"), done), found],
  ["a call, then [DONE]", "Found 7.", sse(chunk({ tool_calls: [lookup] }), done), found],
  ["an index as a text", "Found 7.", sse(chunk({ tool_calls: [{ ...asObject, index: "0" }] }, "tool_calls")), found],
  ["a whole call", "Found 7.", json({ choices: [{ message: { tool_calls: [asObject] } }] }), foundJson],
  ["a whole completion", answer, json({ object: "chat.completion", choices: [{ message, finish_reason: "stop" }] })],
  ["a whole completion as an event", answer, sse({ choices: [{ message }] }, done)],
  ["lines of JSON", answer, [...words, end("stop")].map((one) => JSON.stringify(one)).join("\n")],
  ["comments", answer, sse(": processing\n\n", ...words, ": processing\n\n", end("stop"), done)],
  [
    "pings",
    answer,
    sse("event: ping\ndata: {}\n\n", ...words, "data: \n\ndata: ping\n\n", { type: "ping" }, end("stop")),
  ],
  [
    "unusual members",
    answer,
    sse({ ...chunk({ role: "model", content: answer, refusal: false }, "stop"), error: null }),
  ],
  [
    "a thought in the text",
    answer,
    sse(say("<think>\nHm, the per"), say("son…\n</thi"), say("nk>\n\n"), ...words, done),
  ],
  [
    "a thought that began in the prompt",
    answer,
    json({ choices: [{ message: { content: `Hm\n</think>\n\n${answer}` } }] }),
  ],
  [
    "the end of a thought alone",
    `Hm\n\n\n${answer}`,
    sse(say("Hm"), say("\n</thi"), say(`nk>\n\n${answer}`), end("stop")),
  ],
  [
    "a call without a name",
    answer,
    sse(...words, chunk({ tool_calls: [{ index: 0, function: {} }] }, "tool_calls"), done),
  ],
  ["[THINK]", answer, sse(say("[THINK]Hm[/THINK]"), ...words, end("stop"))],
  ["a thought in the middle", "First.\nLast.", sse(say("First.\n<think>Hm</think>"), say("Last."), end("stop"))],
  ["a thought that is cut", failed("output_limit", "finish reason"), sse(say("<think>Hm"), end("length"))],
  ["a tag in code", "Write\n```\n<think>a\n```", sse(say("Write\n```\n<thi"), say("nk>a\n```"), end("stop"))],
  ["a tag in a line", "Write `<think>` or <think>.", sse(say("Write `<think>` or <think>."), end("stop"))],
  ["a call in the text", answer, sse(...words, say('\n<tool_call>\n{"name":"lookup"}\n</tool_call>'), end("stop"))],
  ["an error first", "Found 7.", sse({ error: { message: "Slow down", type: "rate_limit_error", code: 429 } }), found],
  ["an error as a text", failed("unknown_model", "error event"), sse({ error: "model 'm1' not found" })],
  [
    "an error by its name",
    failed("unavailable", "error event"),
    sse('event: error\ndata: {"message":"Out of memory"}\n\n'),
  ],
  ["an error without JSON", failed("unavailable", "error event: Out"), sse("event: error\ndata: Out of memory\n\n")],
  [
    "an object as an error",
    failed("context_too_long", "error"),
    sse({ object: "error", message: "context length", code: 400 }),
  ],
  [
    "llama.cpp's error",
    failed("unavailable", "error event (status 500): slot"),
    sse('error: {"code":500,"message":"slot"}\n\n'),
  ],
  ["FastAPI's error", failed("unavailable", "error event: Crashed"), sse({ detail: "Crashed" })],
  [
    "MiniMax's error",
    failed("quota", "error event"),
    json({ base_resp: { status_code: 1008, status_msg: "insufficient_quota" } }),
  ],
  [
    "Gemini's error",
    failed("invalid_key", "error"),
    json([{ error: { code: 400, message: "API key not valid." } }], 400),
  ],
  ["an error with 200", failed("invalid_key", "error"), json({ error: { message: "Invalid API key", code: "401" } })],
  ["an error in the middle", incomplete("unavailable"), sse(...words, midError, done)],
  ["an error after the end", answer, sse(...words, end("stop"), { error: { message: "usage was not counted" } })],
  ["it refuses tools", "Found 7.", refuses("registry.ollama.ai/library/gemma:latest does not support tools"), found],
  [
    "it refuses tools in the stream",
    "Found 7.",
    sse({ error: { message: "This model does not support tools" } }),
    found,
  ],
  [
    "OpenRouter refuses tools",
    "Found 7.",
    json({ error: { message: "No endpoints found that support tool use." } }, 404),
    found,
  ],
  [
    "llama.cpp refuses tools",
    "Found 7.",
    json({ error: { message: "tools param requires --jinja flag" } }, 500),
    found,
  ],
  [
    "it refuses max_tokens",
    "Found 7.",
    refuses(newName, { param: "max_tokens", code: "unsupported_parameter" }),
    found,
  ],
  ["it refuses stream_options", "Found 7.", noExtras, found],
  ["it refuses tool_choice, then tools", "Found 7.", refuses(needsFlag), refuses(needsFlag), found],
  ["it refuses to stream", "Found 7.", refuses(verified, { param: "stream", code: "unsupported_value" }), foundJson],
  ["it refuses a value", failed("rejected", "AI_APICallError"), refuses("Invalid schema for function 'lookup'")],
  ["it refuses a role", failed("rejected", "AI_APICallError"), refuses("Unexpected role 'tool' after role 'user'")],
  ["it reads no images", failed("unsupported_file", "AI_APICallError"), refuses("image input is not supported")],
];

// https://platform.claude.com/docs/en/build-with-claude/streaming
const start = { type: "message_start", message: { id: "m", model: "c", role: "assistant", content: [] } };
const startBlock = (content_block: object, index = 0) => ({ type: "content_block_start", index, content_block });
const delta = (delta_: object, index = 0) => ({ type: "content_block_delta", index, delta: delta_ });
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
const use = { type: "tool_use", id: "toolu_1", name: "lookup", input: {} };
const input = delta({ type: "input_json_delta", partial_json: '{"text":"x"}' });
const thought = [
  startBlock({ type: "thinking", thinking: "" }),
  delta({ type: "thinking_delta", thinking: "Hm" }),
  stopBlock,
];
const unknown = [
  startBlock({ type: "new_block" }, 1),
  delta({ type: "text_delta", text: "no" }, 1),
  { ...stopBlock, index: 1 },
];
const error = (type: string, words_: string) => ({ type: "error", error: { type, message: words_ } });

const messages: readonly Row[] = [
  ["as documented", answer, named(start, ping, ...thought, ...text(answer), stop("end_turn"), over)],
  ["it ends with eos", answer, named(...said, stop("eos"), over)],
  ["it is cut", incomplete("output_limit"), named(...said, stop("max_tokens"), over)],
  ["the body ends after the reason", answer, named(...said, stop("end_turn"))],
  ["no reason at the end", answer, named(...said, uncounted, over)],
  ["the connection breaks after the reason", answer, breaks(named(...said, stop("end_turn")))],
  ["the connection stays open", answer, { body: named(...said, stop("end_turn"), over), ends: "never" }],
  ["it stays open after a reason", answer, { body: named(...said, stop("end_turn")), ends: "never" }],
  ["the last event has no blank line", answer, named(...said, stop("end_turn"), over).trimEnd()],
  ["the body ends without a reason", incomplete("interrupted"), named(...said)],
  ["unknown events", answer, named({ type: "new_event" }, start, ...unknown, ...text(answer), stop("end_turn"), over)],
  ["a whole message", answer, json({ type: "message", content: [{ type: "text", text: answer }], usage: null })],
  ["a whole call", "Found 7.", json({ type: "message", content: [{ ...use, input: { text: "x" } }] }), foundText],
  ["a call", "Found 7.", named(start, startBlock(use), input, stopBlock, stop("tool_use"), over), foundText],
  ["tool_use without a call", answer, named(...said, stop("tool_use"), over)],
  ["an error first", "Found 7.", named(error("overloaded_error", "Overloaded")), foundText],
  ["an error in the middle", incomplete("overloaded"), named(...said, error("overloaded_error", "Overloaded"))],
  ["an error after the end", answer, named(...said, stop("end_turn"), over, error("api_error", "Late"))],
  [
    "an error without its type",
    failed("invalid_key", "AI_APICall"),
    sse({ error: { message: "authentication failed" } }),
  ],
  [
    "an error with 200",
    failed("context_too_long", "AI_APICallError"),
    json(error("invalid_request_error", "prompt is too long")),
  ],
  [
    "it refuses tools",
    "Found 7.",
    json(error("invalid_request_error", "tools: Extra inputs are not permitted"), 400),
    foundText,
  ],
];

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
const begin = ["messageStart", { role: "assistant" }] as const;
const write = (text_: string) => ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: text_ } }] as const;
const begun = [begin, write(answer), ["contentBlockStop", { contentBlockIndex: 0 }]] as const;
const counted = ["metadata", { usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 } }] as const;
const stopped = (stopReason: string) => frames(...begun, ["messageStop", { stopReason }], counted);
const foundFrames = frames(begin, write("Found 7."), ["messageStop", { stopReason: "end_turn" }], counted);

const converse: readonly Row[] = [
  ...["end_turn", "stop_sequence", "eos", "tool_use"].map((end_): Row => [
    `it ends with ${end_}`,
    answer,
    stopped(end_),
  ]),
  ["it is cut", incomplete("output_limit"), stopped("model_context_window_exceeded")],
  ["a guardrail", incomplete("refused"), stopped("guardrail_intervened")],
  ["malformed output", incomplete("interrupted"), stopped("malformed_model_output")],
  ["no token counts", answer, frames(...begun, ["messageStop", { stopReason: "end_turn" }])],
  ["an unknown event", answer, frames(["newEvent", { a: 1 }], ...begun, ["messageStop", { stopReason: "end_turn" }])],
  ["the body ends without a reason", incomplete("interrupted"), frames(...begun)],
  ["an exception first", "Found 7.", frames(["throttlingException", { message: "Too many requests" }]), foundFrames],
  [
    "an exception in the middle",
    incomplete("unavailable"),
    frames(...begun, ["modelStreamErrorException", { message: "x" }]),
  ],
  [
    "it refuses tools",
    "Found 7.",
    json({ message: "This model doesn't support tool use in streaming mode." }, 400),
    foundFrames,
  ],
  [
    "an unknown model",
    failed("unknown_model", "AI_API"),
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
  ["as documented", answer, named(...response, completed)],
  ["the last event has no blank line", answer, named(...response, completed).trimEnd()],
  ["the connection stays open", answer, { body: named(...response, completed), ends: "never" }],
  ["the connection breaks after the last event", answer, breaks(named(...response, completed))],
  [
    "unknown events",
    answer,
    sse(": ping\n\n", { type: "keepalive" }, ...response, { type: "response.new" }, completed),
  ],
  ["the body ends without its last event", incomplete("interrupted"), named(...response)],
  ["an error in the middle", incomplete("unavailable"), named(...response, crashed)],
  [
    "an error first",
    failed("quota", "AI_APICallError"),
    sse({ error: { message: "used up", code: "insufficient_quota" } }),
  ],
];

const tables = { "openai-compatible": chat, anthropic: messages, bedrock: converse, openai: responses } as const;
const rows = Object.entries(tables).flatMap(([wire, all]) =>
  all.map((row) => ({ wire: wire as keyof typeof tables, row })),
);

test("J5, J6, J7, J8: each legal form of a model's stream, as a person reads its answer", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDPLANTED");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "planted-key");
  const asked = new Map<number, number>();
  const { url, open } = await startModelServer(({ path }) => {
    const at = Number(path.split("/")[1]);
    const times = asked.get(at) ?? 0;
    asked.set(at, times + 1);
    const [, , ...replies] = rows[at]?.row ?? ["", ""];
    const reply = replies[Math.min(times, replies.length - 1)] ?? "";
    return typeof reply === "string" || Buffer.isBuffer(reply) ? { body: reply } : reply;
  });
  // The burst of questions is more than Slack takes: without these limits each one waits for its turn.
  const many = { burst: 1_000, per_minute: 100_000 };
  const zones = await startCrosszone({
    agents: [assistantOf(url)],
    limits: { maxRunning: rows.length },
    env: { MESSAGES_PER_MINUTE: "1000" },
    slack: { rateLimits: { post_message: many, tier_3: many, tier_4: many } },
  });
  const read = await Promise.all(
    rows.map(async ({ wire, row: [what] }, at) => {
      const { text: shown } = await zones.answerTo(zones.write({ text: `Question ${at}` }), 60_000);
      return [wire, what, shown.replace(/[\da-f]{8}-[\da-f-]{27}/, "0"), asked.get(at)];
    }),
  );
  expect(read).toEqual(
    rows.map(({ wire, row: [what, shown, ...replies] }) => {
      const [whole] = typeof shown === "string" ? [shown] : shown;
      return [
        wire,
        what,
        whole,
        /provider reports|broke. Try/.test(whole) && !whole.startsWith(answer) ? 2 : replies.length,
      ];
    }),
  );
  expect([...open]).toEqual([]);
  const log = JSON.stringify(zones.log);
  expect(log).not.toContain("planted-key");
  const missing = rows.filter(({ row: [, shown] }) => typeof shown !== "string" && !log.includes(shown[1]));
  expect(missing).toEqual([]);
});

/** The assistant of one zone, whose model for the question `Question 3` is at `/3`. */
function assistantOf(url: string): Agent {
  const lookUp: Agent = {
    name: "lookup",
    description: "Looks up.",
    skills: [],
    run: async () => ({ response_text: "7" }),
  };
  return createAssistantAgent({
    choose: async (task) => {
      const at = Number(/\d+/.exec((task as { readonly text: string }).text)?.[0]);
      const { wire } = rows[at] ?? { wire: "openai" };
      const baseUrl = `${url}/${at}${wire === "bedrock" ? "" : "/v1"}`;
      const model = await openModel(wire, "m1", { apiKey: "planted-key", baseUrl, region: "eu-central-1" });
      const limits = { backoffMs: 1, attempts: 2 };
      return { assistant: createAssistant({ model, limits, emit: () => undefined }), instructions: undefined };
    },
    modelLabel: "m1",
    listAgents: async () => [lookUp],
    trusted: new Set(),
    mcp: undefined,
    tracer: createTracer(),
    showDetail: false,
    memoryOf: () => undefined,
    spendingOf: () => ({ reserve: async () => ({ recordUse: async () => undefined }) }),
    approvalFor: () => ({ needed: false }) as never,
    emit: () => undefined,
  });
}
