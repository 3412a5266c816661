import { ZoneError } from "@crosszone/contracts";
import { createTracer, type Span } from "@crosszone/service-kit/tracing";
import { describe, expect, test } from "vitest";
import { AssistantError, failureSentences } from "../failure.ts";
import { finish, type Script, scriptedModel, text } from "../testing/ask-assistant.ts";
import { classifyError } from "./classify-error.ts";
import { type ModelCallOptions, type CallPart, streamCallOf } from "./stream-call.ts";
import { traceCalls } from "./trace-calls.ts";

const apiError = (statusCode: number | undefined, members: object = {}): Error =>
  Object.assign(new Error("planted: the words of a prompt"), {
    name: "AI_APICallError",
    statusCode,
    requestBodyValues: { messages: ["planted: the words of a prompt"] },
    ...members,
  });

const named = (name: string, message = "planted: the words of a prompt"): Error =>
  Object.assign(new Error(message), { name });

const socket = (code: string): object => ({ cause: { cause: { code } }, isRetryable: true });

type Ended = Parameters<Span["end"]>[0];

interface Call {
  readonly script: Script;
  /** How many parts are read. */
  readonly most?: number;
  readonly stopped?: unknown;
}

/** Reads one call; says how its span ended, with no content and with it. */
async function endOf({ script, most = Infinity, stopped }: Call) {
  const model = scriptedModel(script);
  const ended: Ended[] = [];
  for (const capturesContent of [false, true]) {
    const unused = createTracer().start("", { kind: "internal", traceparent: undefined });
    const start = () => ({ ...unused, end: (end: Ended) => void ended.push(end) });
    const turn = { start, capturesContent, traceparent: undefined };
    const options: ModelCallOptions = {
      prompt: [],
      ...(stopped !== undefined && { abortSignal: AbortSignal.abort(stopped) }),
    };
    const read: CallPart[] = [];
    const reading = async (): Promise<void> => {
      for await (const part of await traceCalls(streamCallOf(model.model), model, turn)(options))
        if (read.push(part) >= most) break;
    };
    await reading().catch(() => undefined);
  }
  expect(ended).toHaveLength(2);
  expect(ended[0]?.error).toBe(ended[1]?.error);
  return { error: ended[0]?.error, plain: ended[0]?.attributes, captured: ended[1]?.attributes };
}

const overloaded = Object.assign(new Error("planted"), { name: "AI_APICallError", statusCode: 529 });

describe("classify error", () => {
  test.each([
    ["a key without rights", apiError(403), "invalid_key"],
    ["no key", named("AI_LoadAPIKeyError"), "invalid_key"],
    ["no AWS credentials", named("Error", "AWS credential provider failed: Could not load credentials"), "invalid_key"],
    ["payment required", apiError(402), "quota"],
    ["the same in the stream", Object.assign(named("AI_StreamProviderError"), { statusCode: 529 }), "overloaded"],
    ["a gateway", apiError(502), "unavailable"],
    ["a long prompt at OpenAI", apiError(400, { responseBody: "context_length_exceeded" }), "context_too_long"],
    ["a long prompt at Anthropic", apiError(400, { message: "prompt is too long: 210000 tokens" }), "context_too_long"],
    ["a large body", apiError(413), "context_too_long"],
    ["another 400", apiError(400), "rejected"],
    ["no connection", apiError(undefined, socket("ECONNREFUSED")), "unreachable"],
    ["no such host", Object.assign(new TypeError("fetch failed"), socket("ENOTFOUND")), "unreachable"],
    ["a socket that dies, Bedrock", new TypeError("terminated"), "interrupted"],
    ["a socket that dies, OpenAI", apiError(200, { isRetryable: true }), "interrupted"],
    ["half a frame", new Error("Incomplete Amazon Bedrock event-stream frame"), "interrupted"],
    ["an HTML page", named("AI_InvalidResponseDataError"), "interrupted"],
    ["half a JSON", named("AI_JSONParseError"), "interrupted"],
    ["an empty stream", named("AI_NoOutputGeneratedError"), "interrupted"],
    ["a timeout", named("TimeoutError"), "silent"],
    ["a file of an unknown type", named("AI_UnsupportedFunctionalityError"), "unsupported_file"],
    ["a bug of ours", new RangeError("planted: the words of a prompt"), "internal"],
    ["no error at all", "planted: the words of a prompt", "internal"],
  ] as const)("%s", (_what, error, reason) => {
    const content = [{ type: "text" as const, text: "planted: the words of a prompt" }];
    const failure = classifyError(error, [{ role: "user", content }]);
    expect(failure.reason).toBe(reason);
    expect(`${failure.message} ${failure.sentence}`).not.toContain("planted");
    expect(failure.cause).toBeUndefined();
  });

  test("returns the log fields: the kind of error, the status, the provider's request id and its sentence", () => {
    const error = apiError(429, {
      isRetryable: true,
      responseHeaders: { "request-id": "req_011", "retry-after": "7" },
    });
    const { message, retryAfterMs } = classifyError(error);
    expect(message).toBe(
      "overloaded: AI_APICallError (status 429, retryable, request req_011): planted: the words of a prompt",
    );
    expect(retryAfterMs).toBe(7_000);
    expect(classifyError(new AssistantError("silent", "x")).reason).toBe("silent");
  });

  test("G3: every failure has its own sentence", () => {
    const sentences = Object.values(failureSentences);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

describe("trace calls", () => {
  test.each<[string, string | undefined, Call]>([
    ["that finishes", undefined, { script: [...text("planted"), finish()] }],
    ["that ends without a finish", "interrupted", { script: text("planted") }],
    ["that is not read to its end", "interrupted", { script: [...text("planted"), finish()], most: 2 }],
    ["that breaks", "silent", { script: () => [...text("a"), new AssistantError("silent", "planted")] }],
    ["that is refused", "overloaded", { script: overloaded }],
    ["of a turn that was canceled", "canceled", { script: text("a"), stopped: new ZoneError("canceled") }],
    ["of a turn past its deadline", "timeout", { script: overloaded, stopped: new ZoneError("timeout") }],
    ["of a turn that was stopped otherwise", "canceled", { script: overloaded, stopped: new Error("planted") }],
  ])("a call %s ends its span with %s", async (_call, expected, call) => {
    const { error, plain } = await endOf(call);
    expect(error).toBe(expected);
    expect(JSON.stringify(plain) ?? "").not.toContain("planted");
  });

  test("content is truncated: long texts individually, and all messages together", async () => {
    const { captured } = await endOf({ script: [...text("long".repeat(1_000)), finish()] });
    const json = String(captured?.["gen_ai.output.messages"]);
    expect(json.length).toBeLessThan(1_200);
    expect(JSON.parse(json)).toMatchObject([{ finish_reason: "stop" }]);
  });
});
