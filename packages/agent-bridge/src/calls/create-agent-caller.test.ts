import { describe, expect, test } from "vitest";
import { builtinAdapters, createAdapters } from "../adapters/adapters.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import { ProtocolTranslationError } from "../protocol/agent-failure.ts";
import { createCircuitBreakers } from "../limits/circuit-breakers.ts";
import { newAgent, newAgentTask } from "../testing/agent-record.ts";
import { recordingObserver } from "../testing/test-callers.ts";
import { startAgent } from "../testing/http-agents.ts";
import { answering, plainClient, startCall, withoutCard } from "../testing/start-call.ts";
import { createAgentCaller } from "./create-agent-caller.ts";

describe("a caller", () => {
  test("D2: an agent with an unknown protocol is not called, and the failure names the supported ones", async () => {
    const agent = await startAgent(() => ({ body: {} }));
    const { end, observer } = startCall({ agent: { url: agent.url, protocol: "grpc" } });
    const { failure, attempts } = await end;
    expect(attempts).toBe(0);
    expect(failure).toMatchObject({
      kind: "protocol_unsupported",
      message: expect.stringContaining("Supported protocols: "),
    });
    expect(agent.asked).toEqual([]);
    expect(observer.events.map(([name]) => name)).toEqual(["callEnded"]);
  });

  test("D1, R5.1, R5.4: an agent with the older protocol gets the plain body without an envelope", async () => {
    const agent = await startAgent(({ text }) => ({
      body: { ...(JSON.parse(text) as object), status: "success", output: { text: "Bonjour" } },
    }));
    const { end } = startCall({ agent: { url: agent.url, protocol: "simple-a2a" }, task: { input_data: ["hi"] } });
    expect(await end).toMatchObject({ output: { text: "Bonjour" }, attempts: 1 });
    expect(agent.asked.map(({ method, text }) => [method, text])).toEqual([
      ["POST", '{"task_id":"t1","input":["hi"]}'],
    ]);
  });

  test("D5: an input that an adapter cannot translate, or crashes on, is a translation error with its direction", async () => {
    const broken: ProtocolAdapter = {
      protocol: "broken",
      toRequest: ({ input_data }) => ({ input_data, cycle: input_data === "cycle" ? broken : 0n }),
      fromResponse: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const deps = {
      adapters: createAdapters({ ...builtinAdapters, broken: () => broken }),
      client: answering(() => "{}"),
    };
    const request = startCall({ deps, agent: { protocol: "broken" } });
    expect(await request.end).toMatchObject({ attempts: 1, failure: { kind: "invalid_task", direction: "request" } });
    const survives = { ...broken, toRequest: () => ({}) };
    const adapters = createAdapters({ ...builtinAdapters, broken: () => survives });
    const response = startCall({ deps: { ...deps, adapters }, agent: { protocol: "broken" } });
    const { failure } = await response.end;
    expect(failure).toBeInstanceOf(ProtocolTranslationError);
    expect(failure).toMatchObject({ kind: "internal", direction: "response", protocol: "broken", originalData: "{}" });
    expect(failure?.message).not.toContain("stack");
    expect(response.observer.eventsOf("translationFailed")).toHaveLength(1);
  });

  test("N3: an internal error of the client fails the task, and its text stays private", async () => {
    const client = { ...withoutCard, post: () => Promise.reject(new TypeError("x is not a function")) };
    const { failure } = await startCall({ deps: { client } }).end;
    expect(failure).toMatchObject({ kind: "internal", retryable: false, cause: expect.any(TypeError) });
    expect(JSON.stringify(failure)).not.toContain("not a function");
  });

  test("N5: aborting a call ends its pause, in real time too", async () => {
    const agent = await startAgent(() => ({ status: 503, headers: { "retry-after": "600" }, body: "" }));
    const stop = new AbortController();
    const observer = recordingObserver();
    const caller = createAgentCaller({
      adapters: createAdapters(),
      client: plainClient(),
      breakers: createCircuitBreakers(),
      observer,
    });
    const ended = caller
      .call(newAgentTask(), newAgent({ url: agent.url }), {
        deadlineAt: Date.now() + 3_600_000,
        signal: stop.signal,
        remoteId: undefined,
        onRemoteId: async () => undefined,
        traceparent: undefined,
      })
      .catch((error: unknown) => error);
    await expect.poll(() => observer.eventsOf("retried").length, { timeout: 15_000 }).toBe(1);
    const reason = new Error("stopping");
    stop.abort(reason);
    expect(await ended).toBe(reason);
  });
});
