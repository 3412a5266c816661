import * as fc from "fast-check";
import {
  isRequestId,
  isZoneRequest,
  ZoneError,
  zoneMethods,
  type ZoneMethods,
  type ErrorKind,
  errorTable,
  isJsonRpcError,
  isZoneErrorData,
  type ZoneErrorDetail,
} from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import { createClient, type CallOptions } from "./client.ts";
import { LinkError, errorFromJson, errorToJson } from "./error-json.ts";
import { correlationOf } from "./dispatch.ts";
import type { SendOptions, Transport } from "./transport.ts";

const task = { channel: "C1", text: "héllo", bot_token: "h_1" };
const success = { status: "success", response_text: "hi" };
const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** A client whose server answers `answer`, or its result for the request. */
function client(answer: unknown) {
  const sent: { message: Record<string, unknown>; options: SendOptions }[] = [];
  const transport: Transport = {
    send: async (bytes, sendOptions) => {
      const message = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      sent.push({ message, options: sendOptions });
      const value: unknown = typeof answer === "function" ? answer(message, sendOptions) : answer;
      return value instanceof Uint8Array ? value : encode(value);
    },
    close: async () => {},
  };
  return { ...createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 5_000 }), sent };
}

const echo = ({ id }: { id: string }): object => ({ jsonrpc: "2.0", result: success, id });
const answered = async (answer: unknown, options?: CallOptions): Promise<unknown> =>
  client(answer)
    .call("execute_task", task, { id: "r1", ...options })
    .catch((error: unknown) => error);

describe("a sent message", () => {
  test("Z1: is a request of the contract, with a UUID as id", async () => {
    const { call, sent } = client(echo);
    expect(await call("execute_task", task)).toEqual(success);
    expect(sent[0]?.message).toSatisfy(isZoneRequest);
    expect(sent[0]?.message).toMatchObject({ method: "execute_task", params: task, id: expect.toSatisfy(isRequestId) });
  });

  test("session and correlation id default to the message id", async () => {
    const { call, sent } = client(echo);
    const signal = new AbortController().signal;
    await call("execute_task", task);
    await call("execute_task", { ...task, correlation_id: "c1" }, { id: "r1" });
    await call("execute_task", task, { id: "r2", session: "s1", correlationId: "c2", timeoutMs: 9, signal });
    const none = { signal: undefined, onNotification: undefined };
    const [own, ...others] = sent.map(({ message }) => message["id"]);
    expect(sent.map(({ options }) => options)).toEqual([
      { ...none, timeoutMs: 5_000, session: own, correlationId: own },
      { ...none, timeoutMs: 5_000, session: "r1", correlationId: "c1" },
      { ...none, timeoutMs: 9, session: "s1", correlationId: "c2", signal },
    ]);
    expect(others).toEqual(["r1", "r2"]);
  });

  test("Z4: invalid parameters are not sent", async () => {
    const { call, sent } = client(echo);
    const problems = [{ pointer: "/text", message: "is missing" }];
    const error = await call("execute_task", { channel: "C1", bot_token: "h" } as never).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ZoneError);
    expect(error).toMatchObject({ kind: "invalid_params", data: { problems } });
    await expect(call("execute_task", { ...task, n: 1n })).rejects.toMatchObject({ kind: "invalid_params" });
    expect(sent).toEqual([]);
  });

  test("nothing is sent after an abort", async () => {
    const { call, sent } = client(echo);
    const aborted = call("execute_task", task, { signal: AbortSignal.abort("stop") });
    await expect(aborted).rejects.toMatchObject({
      name: "LinkError",
      kind: "aborted",
      cause: "stop",
      retryable: false,
    });
    expect(sent).toEqual([]);
  });
});

describe("a received message", () => {
  const invalid = { name: "LinkError", kind: "invalid_response", retryable: false };
  const error = {
    code: -32013,
    message: "Rate limited",
    data: { kind: "rate_limited", retryable: true, correlation_id: "c1", retry_after_ms: 9 },
  };

  test.each<[string, unknown]>([
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["no JSON", "<html>"],
    ["nothing", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["a response in an array", [{ jsonrpc: "2.0", result: success, id: "r1" }]],
    ["no jsonrpc", { result: success, id: "r1" }],
    ["neither result nor error", { jsonrpc: "2.0", id: "r1" }],
    ["both result and error", { jsonrpc: "2.0", result: success, error, id: "r1" }],
    ["a null error together with a result", { jsonrpc: "2.0", result: success, error: null, id: "r1" }],
    ["an error that is a string", { jsonrpc: "2.0", error: "no", id: "r1" }],
    ["a non-integer error code", { jsonrpc: "2.0", error: { ...error, code: 1.5 }, id: "r1" }],
    ["L4: another id", { jsonrpc: "2.0", result: success, id: "r2" }],
    ["L4: an error with another id", { jsonrpc: "2.0", error, id: "r2" }],
    ["L4: the id as another type", { jsonrpc: "2.0", result: success, id: 1 }],
    ["L4: a result with an id of null", { jsonrpc: "2.0", result: success, id: null }],
    ["no id", { jsonrpc: "2.0", result: success }],
    [
      "a result with another shape",
      { jsonrpc: "2.0", result: { status: "success", response_text: "hi", task_id: 7 }, id: "r1" },
    ],
    ["L6: a failure as a result", { jsonrpc: "2.0", result: { status: "error", message: "secret" }, id: "r1" }],
  ])("E4: %s is an invalid response", async (_, answer) => {
    const thrown = await answered(answer);
    expect(thrown).toBeInstanceOf(LinkError);
    expect(thrown).toMatchObject(invalid);
    expect((thrown as LinkError).message).not.toMatch(/hi|secret/);
  });

  test.each(["r1", null])("E4: an error is thrown as its kind, with id %s", async (id) => {
    const thrown = await answered({ jsonrpc: "2.0", error, id });
    expect(thrown).toBeInstanceOf(ZoneError);
    expect(thrown).toMatchObject({ kind: "rate_limited", retryable: true, data: { retry_after_ms: 9 } });
  });

  test("any answer produces a result, a LinkError or a ZoneError", async () => {
    const result = fc.oneof(fc.constant(success), fc.jsonValue());
    const id = fc.oneof(fc.constant("r1"), fc.jsonValue());
    const response = fc.record(
      { jsonrpc: fc.constant("2.0"), result, error: fc.jsonValue(), id },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), response, fc.jsonValue()), async (answer) => {
        const outcome = await answered(answer);
        const typed = outcome instanceof LinkError || outcome instanceof ZoneError;
        expect(typed || zoneMethods.execute_task.result(outcome)).toBe(true);
      }),
    );
  });
});

test("progress notifications are passed on, anything else is ignored", async () => {
  const onProgress = vi.fn<NonNullable<CallOptions["onProgress"]>>();
  const streamed = [
    { jsonrpc: "2.0", method: "progress", params: { text: "…" } },
    "{",
    "[]",
    { jsonrpc: "2.0", method: "x", id: 1 },
    success,
  ];
  const answer = (message: { id: string }, { onNotification }: SendOptions): object => {
    for (const value of streamed) onNotification?.(encode(value));
    return echo(message);
  };
  expect(await answered(answer, { onProgress })).toEqual(success);
  expect(onProgress).toHaveBeenCalledExactlyOnceWith({ method: "progress", params: { text: "…" } });
});

test.each<[unknown, string]>([
  [{ correlation_id: "mine" }, "mine"],
  [{ correlation_id: "x".repeat(128) }, "x".repeat(128)],
  [{ correlation_id: "x".repeat(129) }, "other"],
  [{ correlation_id: "" }, "other"],
  [{ correlation_id: "two words" }, "other"],
  [{ correlation_id: ["mine"] }, "other"],
  [Object.create({ correlation_id: "inherited" }), "other"],
  [["mine"], "other"],
  [null, "other"],
  [undefined, "other"],
])("L7: a call with %j is followed by %s", (params, expected) => {
  expect(correlationOf(params, "other")).toBe(expected);
});

const kinds = Object.keys(errorTable) as ErrorKind[];
const detail = {
  task_id: "t1",
  actor: "token:ci (revoked)",
  agent: "echo",
  retry_after_ms: 50,
  problems: [{ pointer: "/channel", message: "is missing" }],
  progress: { revision: 3, steps: [{ id: "seal", title: "Seal", state: "failed" as const, depth: 0 }] },
  failed_run: { workflow: "publish", step: "Seal", reason: "agent_failed" as const },
  agent_says: "The archive is closed.",
  owner_detail: "The agent answered with HTTP 404.",
} satisfies Required<Omit<ZoneErrorDetail, "correlation_id">>;

describe.each(kinds)("%s", (kind) => {
  test("E1: an error is sent with its code, title and data", () => {
    const json = errorToJson(new ZoneError(kind, detail, { cause: "secret" }), "c1");
    const { code, title, retryable } = errorTable[kind];
    expect(json).toEqual({ code, message: title, data: { kind, retryable, correlation_id: "c1", ...detail } });
    expect(json).toSatisfy(isJsonRpcError);
    expect(json.data).toSatisfy(isZoneErrorData);
  });

  test("E1, E4: an error is received as the same kind with the same data", () => {
    const error = errorFromJson(JSON.parse(JSON.stringify(errorToJson(new ZoneError(kind, detail), "c1"))));
    expect(error).toBeInstanceOf(ZoneError);
    expect(error).toMatchObject({
      kind,
      data: { ...detail, correlation_id: "c1" },
      retryable: errorTable[kind].retryable,
    });
  });

  test("E1: an error without data is recognized if no other kind has its code", () => {
    const { code } = errorTable[kind];
    const shared = kinds.filter((other) => errorTable[other].code === code).length > 1;
    expect(errorFromJson({ code, message: "x" })).toMatchObject(
      shared ? { kind: "server_error", code } : { kind, data: {} },
    );
  });
});

test("an error's own correlation id takes precedence over the call's", () => {
  const json = errorToJson(new ZoneError("canceled", { correlation_id: "own" }), "c1");
  expect(json.data).toMatchObject({ correlation_id: "own" });
});

test("E2: a kind that does not match the code is ignored", () => {
  const data = { kind: "canceled", retryable: false, correlation_id: "c1" };
  expect(errorFromJson({ code: -32013, message: "x", data })).toMatchObject({ kind: "rate_limited" });
  expect(errorFromJson({ code: -32000, message: "x", data })).toMatchObject({ kind: "server_error", code: -32000 });
});

test("E4: an unknown code is a server error with code and message, retryable only if the server says so", () => {
  const error = errorFromJson({ code: -32050, message: "no disk", data: { kind: "disk", retryable: true } });
  expect(error).toBeInstanceOf(LinkError);
  expect(error).toMatchObject({ kind: "server_error", code: -32050, message: "no disk", retryable: true });
  for (const data of [undefined, null, { retryable: "true" }, [true], JSON.parse(`{"__proto__":{"retryable":true}}`)])
    expect(errorFromJson({ code: 1, message: "x", data })).toMatchObject({ kind: "server_error", retryable: false });
});

test("E4: error data that violates the contract is dropped", () => {
  const data = { kind: "task_not_found", retryable: false, correlation_id: "c1", task_id: 7 };
  const error = errorFromJson({ code: -32000, message: "x", data }) as ZoneError;
  expect([error.kind, error.data]).toEqual(["task_not_found", {}]);
  const extra = { ...data, task_id: "t1", stack: "at main" };
  expect(errorFromJson({ code: -32000, message: "x", data: extra })).toMatchObject({
    data: { correlation_id: "c1", task_id: "t1" },
  });
  expect((errorFromJson({ code: -32000, message: "x", data: extra }) as ZoneError).data).not.toHaveProperty("stack");
});
