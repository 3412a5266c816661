import { afterEach, expect, test, vi } from "vitest";
import type { AssistantError, FailureReason } from "../failure.ts";
import type { ProviderName } from "../models/model-choice.ts";
import { askAssistant, type AskOptions, toolThat, wireModels, wireProviders } from "../testing/ask-assistant.ts";
import { replyOf } from "../testing/wire-streams.ts";
import { classifyError } from "./classify-error.ts";
import { refusalsOfTools, refusedToolIn } from "./refusals.ts";

afterEach(() => void vi.unstubAllGlobals());

/** An error as a provider says it: status, message, and its code or type. */
type Refusal = readonly [status: number, message: string, code?: string];

/** The error in the form of each wire. */
const bodyOf: Readonly<Record<ProviderName, (message: string, code: string, param?: string) => object>> = {
  "openai-compatible": (message, code, param) => ({ error: { message, code, param } }),
  openai: (message, code, param = "") => ({ error: { message, type: code, param: param || null, code } }),
  anthropic: (message, code) => ({ type: "error", error: { type: code, message } }),
  bedrock: (message, code) => ({ message, __type: code }),
};

const answer = { thought: "", signature: "", text: "Here it is.", input: "", ends: "end" } as const;

interface SentTool {
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly toolSpec?: { readonly name: string };
}

/** A request on any wire. */
interface Sent {
  readonly tools?: readonly SentTool[];
  readonly toolConfig?: { readonly tools: readonly SentTool[] };
}

/** Replaces the network by a provider that answers, unless `refuse` returns a refusal. Returns its requests. */
function serve(wire: ProviderName, refuse: (sent: Sent, call: number) => Response | undefined): Sent[] {
  const requests: Sent[] = [];
  vi.stubGlobal("fetch", async (_url: unknown, { body }: { readonly body: string }) => {
    const sent = JSON.parse(body) as Sent;
    requests.push(sent);
    const headers = { "content-type": "text/event-stream" };
    return refuse(sent, requests.length) ?? new Response(replyOf[wire](answer, {}).body as string, { headers });
  });
  return requests;
}

/** Asks a model whose provider refuses the first `times` calls. Returns what the person reads, and the number of calls. */
async function refused(
  wire: ProviderName,
  [status, message, code = "invalid_request_error"]: Refusal,
  {
    times = Infinity,
    headers = {},
    ...options
  }: AskOptions & { times?: number; headers?: Record<string, string> } = {},
) {
  const requests = serve(wire, (_sent, call) =>
    call > times ? undefined : Response.json(bodyOf[wire](message, code), { status, headers }),
  );
  const { answer: given, error } = await askAssistant(await wireModels[wire]("https://model.example"), options);
  const { reason, sentence, message: detail, retryAfterMs } = (error ?? {}) as Partial<AssistantError>;
  return { text: given?.text, reason, sentence, message: detail, retryAfterMs, calls: requests.length };
}

const over =
  "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again";
const perMinute = (words: string) => `${words} on tokens per min (TPM): Limit 30000, Requested 35000.`;
const wordings: readonly (readonly [FailureReason, ...Refusal])[] = [
  ["context_too_long", 400, over],
  ["context_too_long", 400, "Input is too long for requested model."],
  ["context_too_long", 400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
  ["context_too_long", 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ["context_too_long", 400, "prompt token count of 135000 exceeds the limit of 128000"],
  ["context_too_long", 400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
  ["context_too_long", 400, "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens"],
  ["context_too_long", 400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
  ["context_too_long", 400, "Range of input length should be [1, 30720]"],
  ["context_too_long", 400, "exceeded model token limit: 262144 (requested: 300000)"],
  ["context_too_long", 422, "Please reduce the length of the messages or completion."],
  [
    "context_too_long",
    500,
    "the request exceeds the available context size, try increasing it",
    "exceed_context_size_error",
  ],
  ["context_too_long", 429, perMinute("Request too large for m"), "rate_limit_exceeded"],
  ["context_too_long", 429, perMinute("Rate limit reached for m"), "rate_limit_exceeded"],
  ["overloaded", 429, "Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000."],
  ["quota", 429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"],
  ["quota", 400, "Access denied, please make sure your account is in good standing.", "Arrearage"],
  [
    "quota",
    400,
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
  ],
  ["quota", 400, "Your credit balance is too low to access the API."],
  ["invalid_key", 400, "API key not valid. Please pass a valid API key."],
  [
    "bad_call",
    400,
    "Failed to call a function. Please adjust your prompt. See 'failed_generation'.",
    "tool_use_failed",
  ],
  [
    "bad_call",
    400,
    "parameters for tool x did not match schema: additionalProperties 'b' not allowed",
    "tool_use_failed",
  ],
  ["bad_call", 500, "error parsing tool call: raw='{\"a', err=unexpected end of JSON input"],
  ["rejected", 400, "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after"],
  ["rejected", 400, "invalid tool_call_id: not found in messages"],
];
const wordingRows = wordings.flatMap(([reason, ...refusal]) =>
  wireProviders.map((wire) => ({ message: refusal[1], reason, wire, refusal })),
);

test.each(wordingRows)("J19, J25, J26, J51: $message is $reason on $wire", async ({ reason, wire, refusal }) => {
  const { calls, ...read } = await refused(wire, refusal, { limits: { attempts: 3 } });
  expect(read.reason).toBe(reason);
  expect(calls).toBe(reason === "overloaded" ? 3 : reason === "bad_call" ? 2 : 1);
});

test.each(wireProviders)("J26: a call that %s can't read is made once more, as nothing was shown", async (wire) => {
  const failed: Refusal = [400, "Failed to call a function. Please adjust your prompt.", "tool_use_failed"];
  expect(await refused(wire, failed, { times: 1 })).toMatchObject({ text: "Here it is.", calls: 2 });
});

const quota = "You exceeded your current quota, please check your plan and billing details.";
const date = "Sat, 28 Nov 2026 12:00:00 GMT";
const waits: Readonly<Record<string, readonly [ms: number, refusal: Refusal, headers?: Record<string, string>]>> = {
  seconds: [6_000, [429, "Slow down"], { "retry-after": "6" }],
  milliseconds: [700, [429, "Slow down"], { "retry-after-ms": "700" }],
  "a date": [6_000, [429, "Slow down"], { date, "retry-after": "Sat, 28 Nov 2026 12:00:06 GMT" }],
  "the date of a busy server": [9_000, [503, "Slow down"], { date, "retry-after": "Sat, 28 Nov 2026 12:00:09 GMT" }],
  "a sentence": [6_000, [429, `${quota} Please retry in 6s.`]],
  "a sentence with minutes": [61_500, [429, "Rate limit reached. Please try again in 1m1.5s."]],
  "a sentence with milliseconds": [850, [429, "Rate limit reached. Please try again in 850ms. Visit our page."]],
  words: [6_000, [429, "Requests have exceeded the rate limit. Please retry after 6 seconds."]],
};

test.each(Object.entries(waits))("J19: a wait in %s is read", async (_what, [ms, refusal, headers]) => {
  for (const wire of wireProviders) {
    const { retryAfterMs, reason } = await refused(wire, refusal, { headers, limits: { attempts: 1 } });
    expect([wire, retryAfterMs, reason]).toEqual([wire, ms, "overloaded"]);
  }
});

test("J19: the wait in the details of Gemini's error is read", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "6s" }];
  const body = JSON.stringify([{ error: { code: 429, message: quota, status: "RESOURCE_EXHAUSTED", details } }]);
  const failed = Object.assign(new Error("x"), { name: "AI_APICallError", statusCode: 429, responseBody: body });
  expect(classifyError(failed)).toMatchObject({ reason: "overloaded", retryAfterMs: 6_000 });
});

test.each(wireProviders)(
  "J19: a call of %s is made again after the wait, or not if the wait is too long",
  async (wire) => {
    const startedAt = performance.now();
    const headers = { "retry-after": "0.2" };
    expect(await refused(wire, [429, "Slow down"], { times: 1, headers })).toMatchObject({
      text: "Here it is.",
      calls: 2,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    expect(await refused(wire, [429, `${quota} Please retry in 31s.`])).toMatchObject({
      reason: "overloaded",
      calls: 1,
    });
    expect(await refused(wire, [429, `${quota} Please retry in 5h3m.`])).toMatchObject({ reason: "quota", calls: 1 });
    expect(await refused(wire, [429, quota])).toMatchObject({ reason: "quota", calls: 1 });
  },
);

const file = (name: string, mediaType: string) => ({ name, mediaType, read: async () => new Uint8Array([1, 2, 3]) });
const files = [file("plan.pdf", "application/pdf"), file("a_b.png", "image/png"), file("scan.pdf", "application/pdf")];
const faults: readonly (readonly [message: string, sentence: string])[] = [
  [
    "messages.0.content.2.pdf.source.base64.data: The PDF specified is password protected.",
    '"plan.pdf" is locked with a password. Remove it, or ask again without the file.',
  ],
  [
    "messages.0.content.6.pdf.source.base64.data: The PDF specified was not valid.",
    'The model can\'t open "scan.pdf". It may be damaged: ask again with another copy, or without it.',
  ],
  [
    "messages.0.content.4.image.source.base64: Could not process image",
    'The model can\'t open "a b.png". It may be damaged: ask again with another copy, or without it.',
  ],
  [
    "messages.0.content.4.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    'The model doesn\'t read a file of this size: "a b.png". Ask again with another size, or without it.',
  ],
  [
    "A maximum of 100 PDF pages may be provided.",
    '"plan.pdf" or "scan.pdf" has more pages than the model reads. Ask again with a part of it.',
  ],
  [
    "Unable to process input image. Please retry.",
    'The model can\'t open "a b.png". It may be damaged: ask again with another copy, or without it.',
  ],
  ["You uploaded an unsupported image.", 'The model can\'t read "a b.png". Ask again without it.'],
  [
    "The document has no pages.",
    'The model can\'t open "plan.pdf" or "a b.png" or "scan.pdf". It may be damaged: ask again with another copy, or without it.',
  ],
];

test.each(faults)("J44: %j names the person's file", async (message, sentence) => {
  for (const wire of wireProviders) {
    const read = await refused(wire, [400, message], { question: { files } });
    expect(read).toMatchObject({ reason: "unsupported_file", sentence, calls: 1 });
  }
});

test("J44: what is not about a file names none", async () => {
  for (const message of [
    "Invalid schema for function 'read_pdf'",
    "prompt is too long: 9 images",
    "tools.0: image is not valid",
  ])
    expect((await refused("anthropic", [400, message], { question: { files } })).sentence).not.toContain(".pdf");
  expect((await refused("anthropic", [400, "Could not process image"])).reason).toBe("rejected");
});

test("J51: a number of tokens in the provider's sentence is for operators to read", async () => {
  for (const message of [over, "max_tokens=9000 is too much for the model", "max_tokens: 9000 > 8192"])
    expect((await refused("anthropic", [400, message])).message).toContain(message.slice(0, 60));
});

const missing = "In context=('properties', 'tags'), array schema missing items.";
const union = "input_schema does not support oneOf, allOf, or anyOf at the top level";

/** What providers say of the tool at the place `$`, or at `#` where they count from 1, and which parameter they name. */
const blames: readonly [whose: string, wire: ProviderName, message: string, param?: string][] = [
  ["OpenAI's chat, by the name", "openai-compatible", `Invalid schema for function 'wiki_odd': ${missing}`],
  ["OpenAI's chat, by the place", "openai-compatible", "Invalid value.", "tools[$].function.parameters"],
  ["Gemini", "openai-compatible", "* tools[0].function_declarations[$].parameters.properties[tags].items: missing"],
  ["vLLM", "openai-compatible", "Input should be a valid dictionary", "body.tools.$.function.parameters"],
  ["Groq", "openai-compatible", "invalid JSON schema for tool wiki_odd: `/properties/tags`: expected items"],
  ["Anthropic", "anthropic", "tools.$.custom.input_schema: JSON schema is invalid"],
  ["Anthropic, a union", "anthropic", `tools.$.input_schema: ${union}`],
  ["OpenAI's responses", "openai", `Invalid schema for function 'wiki_odd': ${missing}`, "tools[$].parameters"],
  ["Bedrock", "bedrock", "The value at toolConfig.tools.$.toolSpec.inputSchema.json.type must be: object."],
  ["Bedrock, counted from 1", "bedrock", "Value at 'toolConfig.tools.#.member.toolSpec.name' failed to satisfy"],
  ["Claude on Bedrock", "bedrock", "The model returned the following errors: tools.$.custom.input_schema: required"],
];

const wikiTool = (name: string, title = "") =>
  toolThat(async () => ({ text: "" }), {
    name: `wiki_${name}`,
    inputSchema: { type: "object", properties: {}, title },
  });

/** Returns the names of the tools of a request. */
const namesIn = ({ tools, toolConfig }: Sent = {}): (string | undefined)[] =>
  (tools ?? toolConfig?.tools ?? []).map((one) => one.name ?? one.function?.name ?? one.toolSpec?.name);

test.each<(typeof blames)[number]>(blames)(
  "J13: one tool whose schema the provider refused failed every question: %s",
  async (...[, wire, message, param]) => {
    const requests = serve(wire, (sent) => {
      const at = namesIn(sent).indexOf("wiki_odd");
      if (at === -1 || !JSON.stringify(sent).includes("unpatched")) return undefined;
      const [said, about] = [message, param].map((text) => text?.replace("$", `${at}`).replace("#", `${at + 1}`));
      return Response.json(bodyOf[wire](said ?? "", "invalid_request_error", about), { status: 400 });
    });
    const model = await wireModels[wire]("https://model.example");
    const tools = [wikiTool("one"), wikiTool("odd", "unpatched"), wikiTool("two")];
    const first = await askAssistant(model, { question: { tools } });
    expect(first.answer?.text).toBe(answer.text);
    expect(first.retries.filter((one) => one === "wiki_odd")).toEqual(["wiki_odd"]);
    expect((await askAssistant(model, { question: { tools } })).retries).toEqual([]);
    const others = ["make_file", "wiki_one", "wiki_two"];
    expect(requests.map(namesIn)).toEqual([["make_file", "wiki_one", "wiki_odd", "wiki_two"], others, others]);
    // The server has corrected its schema.
    await askAssistant(model, { question: { tools: [...tools.slice(0, 1), wikiTool("odd")] } });
    expect(namesIn(requests.at(-1))).toContain("wiki_odd");
  },
);

const offered = ["get", "find", "find_all"].map((name) => ({ type: "function" as const, name, inputSchema: {} }));
const said = (message: string, param = "") => ({ message, param, type: "", code: "" });

test.each<[string, string, number | undefined, string[]]>([
  ["two tools at once", "tools.0.custom.input_schema: no. tools.2.custom.input_schema: no", 400, ["get", "find_all"]],
  ["a name that begins another", "Invalid schema for function 'find_all': no", 400, ["find_all"]],
  ["a place in words", "Tool at index 1 is invalid", 422, ["find"]],
  ["a pointer", "#/tools/2/function/parameters: type is missing", 400, ["find_all"]],
  ["a place that does not exist", "tools.9.custom.input_schema: no", 400, []],
  ["a model that takes no tools", "This model does not support tools.", 400, []],
  ["a role", "messages with role 'tool' must follow 'tool_calls'; get the parameters right", 400, []],
  ["a tool choice", "tool_choice 'find' is not supported", 400, []],
  ["too many requests", "Invalid schema for function 'find': no", 429, []],
  ["a wrong key", "tools.1.custom: your key has no access", 401, []],
])("J13: %s names the right tools", (...[, message, status, names]) => {
  expect(refusalsOfTools(said(message), offered, status).map(refusedToolIn)).toEqual(names);
});
