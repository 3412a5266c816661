import { cpuMsOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import {
  isA2AMessageSendRequest,
  problemsOf,
  type A2AMessageSendRequest,
  type A2ATextPart,
} from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { doneWith, jsonReply, resultOf, taskIn, textReply, newAgentTask } from "../testing/agent-record.ts";
import type { EndedReading, Reading, AgentReply } from "../protocol/protocol-adapter.ts";
import { createJsonRpcAdapter } from "./adapters.ts";
import { createEventReader } from "./read-events.ts";

const adapter = createJsonRpcAdapter({});

const requestOf = (input_data: unknown, task_id = "t1"): A2AMessageSendRequest =>
  adapter.toRequest(newAgentTask({ task_id, input_data })) as A2AMessageSendRequest;

/** The texts of a request, and the other members of the input. */
function sentFor(input: unknown) {
  const { parts, metadata } = requestOf(input).params.message;
  return { texts: parts.map((part) => (part as A2ATextPart).text), metadata };
}

const read = (result: unknown): Reading => adapter.fromResponse(jsonReply(resultOf(result)), newAgentTask());

function ended(reading: Reading): EndedReading {
  if (reading.state !== "ended") throw new Error("it works on");
  return reading;
}

describe("a request", () => {
  test("R1.1, R1.9, R1.10, R6.5, R6.6: any input becomes a valid request with at least one text part", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const request = requestOf(input);
        expect(Object.keys(request)).toEqual(["jsonrpc", "id", "method", "params"]);
        expect(problemsOf(isA2AMessageSendRequest, request)).toEqual([]);
        expect(request.params.message.parts.every(({ kind }) => kind === "text")).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("R1.3, R1.8: a thousand ids survive the round trip, with the same bytes each time", () => {
    const ids = fc.string({ minLength: 1, maxLength: 255, unit: "grapheme" });
    fc.assert(
      fc.property(ids, fc.jsonValue(), (task_id, input_data) => {
        const task = newAgentTask({ task_id, input_data });
        const text = JSON.stringify(adapter.toRequest(task));
        expect(JSON.stringify(adapter.toRequest(structuredClone(task)))).toBe(text);
        const request = JSON.parse(text) as A2AMessageSendRequest;
        expect([request.id, request.params.message.messageId]).toEqual([task_id, `msg-${task_id}`]);
        const reply = jsonReply(resultOf(doneWith("x"), request.id));
        expect(ended(adapter.fromResponse(reply, task))).toMatchObject({ output: { text: "x" } });
      }),
      { numRuns: 1_000 },
    );
  });

  test("R6.1, R6.2, B16: an input with text or query and other members loses nothing", () => {
    const more = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom("text", "query"), fc.string(), more, (name, said, rest) => {
        const { text: _text, query: _query, ...others } = rest;
        const { texts, metadata = {} } = sentFor({ ...others, [name]: said });
        expect(texts).toEqual([said]);
        expect(metadata).toEqual(others);
      }),
    );
  });

  test("D3: a listed method is accepted, any other configuration is refused", () => {
    const send = createJsonRpcAdapter({ method: "tasks/send", version: "2.0" });
    expect(send.toRequest(newAgentTask())).toMatchObject({ jsonrpc: "2.0", method: "tasks/send" });
    for (const config of [{ method: "rm" }, { version: "1.0" }, { verison: "2.0" }])
      expect(() => createJsonRpcAdapter(config as never)).toThrow(/protocol_config .*method/);
  });
});

describe("a response", () => {
  test("R4.7: anomalies are warnings, and the output is never an empty object", () => {
    const nothing = read(taskIn("completed", { artifacts: [] }));
    expect(ended(nothing)).toMatchObject({ output: taskIn("completed", { artifacts: [] }) });
    expect(nothing.warnings).toEqual([
      "the result has neither artifact nor message, so the output is the whole result",
    ]);
    const odd = read({
      status: "completed",
      history: 7,
      artifacts: [{ parts: "none" }, { parts: [{ text: "here" }] }],
    });
    expect(ended(odd)).toMatchObject({ output: { text: "here" } });
    expect(odd.warnings).toHaveLength(3);
  });

  test("R2.1, R2.3, B15: an error without an id is an error; a result without an id is not a result", () => {
    const error = { code: -32700, message: "Parse error" };
    const reply = jsonReply({ jsonrpc: "2.0", id: null, error }, 500);
    expect(ended(adapter.fromResponse(reply, newAgentTask())).failure).toMatchObject({
      kind: "rpc_error",
      code: -32700,
    });
    const wrong = jsonReply({ jsonrpc: "2.0", id: null, result: doneWith("x") });
    expect(() => adapter.fromResponse(wrong, newAgentTask())).toThrow(/its id is null instead of the request's "t1"/);
  });

  test("R4.4, R4.5: an error with extra members is an error; a malformed error's content is reported", () => {
    const reply = (error: unknown): AgentReply => jsonReply({ jsonrpc: "2.0", id: "t1", error });
    const more = ended(adapter.fromResponse(reply({ code: -32000, message: "boom", stack: "at x" }), newAgentTask()));
    expect(more.failure).toMatchObject({ kind: "rpc_error", code: -32000, message: expect.stringMatching(/: boom$/) });
    for (const error of [
      "boom",
      { code: 0.5, message: "boom" },
      { code: "E_X", message: "boom" },
      { code: { boom: 1 } },
    ])
      expect(() => adapter.fromResponse(reply(error), newAgentTask())).toThrow(
        expect.objectContaining({ kind: "invalid_envelope", data: { error }, message: expect.stringMatching(/boom/) }),
      );
  });

  test("R4.4, R4.5: an agent's message is reported without secrets, on one line, with limited length", () => {
    const message = `no\u0000\nway password=hunter2 ${"x".repeat(9_000)}`;
    const error = { code: 7, message, data: { retryable: true, retry_after_ms: 1_500 } };
    const reply = jsonReply({ jsonrpc: "2.0", id: "t1", error });
    const failed = ended(adapter.fromResponse(reply, newAgentTask())).failure;
    expect(failed).toMatchObject({ kind: "rpc_unavailable", retryable: true, retryAfterMs: 1_500, data: error.data });
    expect(failed?.message).toMatch(/^The agent answered with JSON-RPC error 7: no way password=\[redacted\] x+…$/);
    expect(failed?.message.length).toBeLessThan(1_100);
  });

  test("a stream of many pieces is read in linear time", async () => {
    const readEvent = adapter.createEventReader?.(newAgentTask());
    const artifact = { artifactId: "a", parts: [{ kind: "text", text: "word " }] };
    const piece = jsonReply(resultOf({ kind: "artifact-update", taskId: "r1", append: true, artifact }));
    const readAll = (): void => {
      for (let count = 0; count < 10_000; count += 1) readEvent?.(piece);
    };
    expect(await cpuMsOf(readAll)).toBeLessThan(5_000);
  });

  test("N3: endlessly nested JSON is refused, small or large", () => {
    for (const levels of [129, 20_000, 1_000_000]) {
      const deep = `{"jsonrpc":"2.0","id":"t1","result":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      expect(() => adapter.fromResponse(textReply(deep), newAgentTask())).toThrow(/nested in more than 128 levels/);
    }
  });
});

test("a message of text is kept for its follow-ups, which are its metadata", () => {
  const metadata = { "https://crosszone.dev/follow-ups": ["And then?"] };
  const said = (more: object) => ({ kind: "message", role: "agent", parts: [{ kind: "text", text: "Hi" }], ...more });
  const task = (message: object) => ({ id: "r1", kind: "task", status: { state: "completed", message } });
  expect(ended(read(task(said({ metadata }))))).toMatchObject({ output: { response: "Hi", message: { metadata } } });
  expect(ended(read(task(said({})))).output).not.toHaveProperty("message");
});

test("X15: each artifact of a stream was looked for among all others; there are at most 10,000", () => {
  const readEvent = createEventReader({ id: "t1", protocol: "a2a" });
  const send = (n: number, text: string) => {
    const artifact = { artifactId: `a${n}`, parts: [{ kind: "text", text }] };
    const result = { kind: "artifact-update", taskId: "t", append: true, artifact };
    return readEvent(jsonReply({ jsonrpc: "2.0", id: "t1", result }));
  };
  for (let n = 0; n < 10_000; n += 1) send(n, "x");
  expect(send(7, "y").artifacts?.[7]).toMatchObject({ parts: [{ text: "x" }, { text: "y" }] });
  expect(() => send(10_000, "x")).toThrow("The agent streamed more than 10000 artifacts and messages.");
});
