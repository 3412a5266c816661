import { ZoneError, zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import { createDispatcher, type DispatcherOptions, type DispatchOutcome } from "./dispatch.ts";

/** Handlers of all methods that fail. */
const otherMethods = Object.fromEntries(
  Object.keys(zoneMethods).map((name) => [name, () => Promise.reject(new ZoneError("internal"))]),
) as Record<keyof ZoneMethods, () => Promise<never>>;

type Options = DispatcherOptions<ZoneMethods, { correlationId: string; caller: string }>;
const context = { correlationId: "from-context", caller: "verification" };
const task = { channel: "C1", text: "hello", bot_token: "h_1" };
const success = { status: "success", response_text: "hi" } as const;

function server(handlers: Partial<Options["handlers"]> = {}, options: Partial<Options> = {}) {
  const outcomes: DispatchOutcome[] = [];
  const dispatch = createDispatcher<ZoneMethods, typeof context>({
    methods: zoneMethods,
    handlers: {
      ...otherMethods,
      execute_task: () => success,
      get_async_task_result: ({ task_id }) => ({ status: "working", task_id }),
      cancel_task: ({ task_id }) => ({ task_id, status: "canceled" }),
      list_agents: () => ({ agents: [] }),
      read_task_file: () => ({ bytes: "" }),
      ...handlers,
    },
    batches: "answer",
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const send = async (message: unknown): Promise<never> => {
    const text = await dispatch(new TextEncoder().encode(JSON.stringify(message)), context);
    return (text && JSON.parse(text)) as never;
  };
  return { send, dispatch, outcomes };
}

const request = (method: string, params?: unknown, id: unknown = "r1"): object => ({
  jsonrpc: "2.0",
  method,
  params,
  id,
});

describe("a request", () => {
  test("reaches its handler with parameters, context and call, and gets a response", async () => {
    const execute_task = vi.fn<Options["handlers"]["execute_task"]>(() => success);
    const { send } = server({ execute_task });
    expect(await send(request("execute_task", task))).toEqual({ jsonrpc: "2.0", result: success, id: "r1" });
    const call = { method: "execute_task", id: "r1", correlationId: "from-context" };
    expect(execute_task).toHaveBeenCalledExactlyOnceWith(task, context, call);
  });

  test("null in an optional member counts as absent at any depth, and the handler gets no null", async () => {
    const execute_task = vi.fn<Options["handlers"]["execute_task"]>(() => success);
    const { send } = server({ execute_task });
    const thread = [{ text: "earlier" }];
    const sent = {
      ...task,
      thread_ts: null,
      attachments: null,
      agent: null,
      thread: [{ text: "earlier", user: null }],
    };
    expect(await send(request("execute_task", sent))).toMatchObject({ result: success });
    expect(execute_task.mock.lastCall?.[0]).toEqual({ ...task, thread });
  });

  test("Z4: null in a required member or as an array item is refused, with the pointer to the sent value", async () => {
    const { send } = server();
    const pointersOf = async (params: object): Promise<unknown> => {
      const answer: { error: { data: { problems: { pointer: string }[] } } } = await send(
        request("execute_task", params),
      );
      return answer.error.data.problems.map(({ pointer }) => pointer);
    };
    expect(await pointersOf({ ...task, channel: null })).toEqual(["/channel"]);
    expect(await pointersOf({ ...task, channel: null, thread_ts: null })).toEqual(["/channel", "/thread_ts"]);
    expect(await pointersOf({ ...task, thread: [null] })).toEqual(["/thread/0"]);
  });

  test("Z4: without params, each required member is named; a method without required members accepts it", async () => {
    const { send } = server();
    const problems = ["/channel", "/text", "/bot_token"].map((pointer) => ({ pointer, message: "is missing" }));
    expect(await send(request("execute_task"))).toMatchObject({ error: { data: { problems } } });
    expect(await send(request("list_agents"))).toMatchObject({ result: { agents: [] } });
  });

  test("an invalid result is an internal error, is logged with its problems, and is not sent", async () => {
    const { send, outcomes } = server({
      execute_task: () => ({ status: "success", response_text: 7, token: "secret" }) as never,
    });
    const answer = await send(request("execute_task", task));
    expect(answer).toMatchObject({ error: { code: -32603, message: "Internal error" }, id: "r1" });
    expect(JSON.stringify(answer)).not.toMatch(/secret|response_text/);
    expect(outcomes[0]).toMatchObject({
      kind: "internal",
      error: { message: expect.stringContaining("/response_text") },
    });
  });

  const cycle: Record<string, unknown> = { ...success };
  cycle["self"] = cycle;
  test.each([
    ["a BigInt", { ...success, n: 1n }],
    ["a cycle", cycle],
    ["nothing", undefined],
    ["a function", () => 1],
  ])("E2: a result that JSON cannot represent is an internal error: %s", async (_, result) => {
    const { execute_task: _checked, ...methods } = zoneMethods;
    const { send } = server({ execute_task: () => result as never }, { methods: { ...methods, execute_task: {} } });
    expect(await send(request("execute_task", task))).toMatchObject({ error: { code: -32603 }, id: "r1" });
  });

  test("an error whose data JSON cannot represent is internal", async () => {
    const execute_task = (): never => {
      throw new ZoneError("rate_limited", { retry_after_ms: 5n as never });
    };
    expect(await server({ execute_task }).send(request("execute_task", task))).toMatchObject({
      error: { code: -32603 },
    });
  });

  test("L5: an exception of a handler reveals nothing in the response", async () => {
    const thrown = Object.assign(new Error("secret", { cause: "secret" }), { code: "ESECRET", kind: "rate_limited" });
    for (const error of [thrown, "secret", undefined, null, { toString: () => "secret" }]) {
      const execute_task = async (): Promise<never> => {
        throw error;
      };
      const answer = await server({ execute_task }).send(request("execute_task", task));
      expect(answer).toEqual({
        jsonrpc: "2.0",
        error: {
          code: -32603,
          message: "Internal error",
          data: { kind: "internal", retryable: false, correlation_id: "from-context" },
        },
        id: "r1",
      });
    }
  });
});

describe("a notification", () => {
  test("runs and never gets a response, even if it fails", async () => {
    const execute_task = vi.fn<() => never>(() => {
      throw new ZoneError("rate_limited");
    });
    const { send, outcomes } = server({ execute_task });
    expect(await send({ jsonrpc: "2.0", method: "execute_task", params: task })).toBeUndefined();
    expect(await send({ jsonrpc: "2.0", method: "execute_task" })).toBeUndefined();
    expect(execute_task).toHaveBeenCalledOnce();
    expect(outcomes.map(({ id, kind }) => [id, kind])).toEqual([
      [undefined, "rate_limited"],
      [undefined, "invalid_params"],
    ]);
  });
});

test("the requests of a batch run concurrently", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { send } = server({
    execute_task: async () => promise.then(() => success),
    list_agents: () => {
      resolve();
      return { agents: [] };
    },
  });
  expect(await send([request("execute_task", task), request("list_agents", {}, "r2")])).toHaveLength(2);
});

test("E5: each request has one outcome, with the fields that a log needs", async () => {
  const { send, dispatch, outcomes } = server();
  await send([request("list_agents"), request("nope"), 1]);
  await dispatch(new TextEncoder().encode("{"), context);
  expect(outcomes).toMatchObject([
    { method: undefined, id: null, code: -32600, kind: "invalid_request" },
    { method: "nope", id: "r1", code: -32601, kind: "method_not_found", error: new ZoneError("method_not_found") },
    { method: "list_agents", id: "r1", code: undefined, kind: undefined, error: undefined },
    { method: undefined, id: null, code: -32700, kind: "parse_error", correlationId: "from-context", bytesIn: 1 },
  ]);
  expect(outcomes.every(({ durationMs }) => durationMs >= 0)).toBe(true);
});

test("Z3: a reserved method name is refused when the dispatcher is created", () => {
  const make = () => server({ ["rpc.discover" as "list_agents"]: () => ({ agents: [] }) });
  expect(make).toThrow(/rpc\.discover is reserved/);
});
