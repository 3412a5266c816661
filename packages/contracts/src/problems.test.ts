import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isAgentAuth,
  isExecuteTaskParams,
  isJsonRpcError,
  isJsonRpcId,
  isTaskState,
  isZoneRequest,
  problemsOf,
  type Validator,
} from "./index.ts";

const params = { channel: "C024BE91L", text: "Hello", bot_token: "task-handle-3f9c2b7a51d84e06" };

test("a valid value has no problems", () => {
  expect(problemsOf(isExecuteTaskParams, params)).toEqual([]);
});

test.each([
  ["a missing member", isExecuteTaskParams, { ...params, channel: undefined }, "/channel", "is missing"],
  ["a mistyped member", isExecuteTaskParams, { ...params, channel: 1 }, "/channel", "must be string"],
  [
    "a member of an item",
    isExecuteTaskParams,
    { ...params, thread: [{ text: 1 }] },
    "/thread/0/text",
    "must be string",
  ],
  ["an empty text", isExecuteTaskParams, { ...params, agent: "" }, "/agent", "is empty"],
  ["the value itself", isExecuteTaskParams, [], "", "must be object"],
  ["an unknown member", isJsonRpcError, { code: 1, message: "", stack: "" }, "/stack", "is not a known member"],
  ["a name with / and ~", isJsonRpcError, { code: 1, message: "", "a/b~c": "" }, "/a~1b~0c", "is not a known member"],
  ["a wrong constant", isZoneRequest, zoneRequest({ jsonrpc: "1.0" }), "/jsonrpc", 'must be "2.0"'],
  [
    "a word that is not listed",
    isTaskState,
    "paused",
    "",
    "must be one of submitted, working, success, error, canceled, timed_out",
  ],
  [
    "a union member that is missing",
    isAgentAuth,
    { token: "env:AGENT_SECRET_A" },
    "/type",
    "is missing or names nothing known",
  ],
  ["a union member that is unknown", isAgentAuth, { type: "kerberos" }, "/type", "is missing or names nothing known"],
  ["a member of the union's branch", isAgentAuth, { type: "bearer" }, "/token", "is missing"],
  ["a value that may be of several types", isJsonRpcId, true, "", "must be string or number or null"],
  [
    "a text in another format",
    isZoneRequest,
    zoneRequest({ id: "1" }),
    "/id",
    'must match pattern "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"',
  ],
])("%s is reported at its pointer", (_, validator, ...[value, pointer, message]) => {
  expect(problemsOf(validator as Validator<unknown>, value)).toEqual([{ pointer, message }]);
});

test("all problems are reported at once", () => {
  const problems = problemsOf(isExecuteTaskParams, { channel: 1, agent: "" });
  expect(problems.map(({ pointer }) => pointer).toSorted()).toEqual(["/agent", "/bot_token", "/channel", "/text"]);
});

test("at most 20 problems are reported", () => {
  const thread = Array.from({ length: 100_000 }, () => 1);
  const problems = problemsOf(isExecuteTaskParams, { ...params, thread });
  expect(problems).toHaveLength(20);
  expect(problems.at(-1)).toEqual({ pointer: "/thread/19", message: "must be object" });
});

test("a problem of one value is not reported for the next", () => {
  expect(problemsOf(isExecuteTaskParams, {})).toHaveLength(3);
  expect(problemsOf(isExecuteTaskParams, params)).toEqual([]);
});

describe("S14: a problem never repeats the input", () => {
  test("for any refused value", () => {
    const secret = "task-handle-3f9c2b7a51d84e06";
    const holding = fc.constantFrom([secret], { [secret.slice(0, 4)]: secret }, secret);
    const bad = fc.record({
      channel: holding,
      text: holding,
      bot_token: fc.constantFrom([secret], { token: secret }),
      agent: holding,
    });
    fc.assert(
      fc.property(bad, (value) => {
        const problems = problemsOf(isExecuteTaskParams, value);
        expect(problems).not.toEqual([]);
        expect(JSON.stringify(problems)).not.toContain(secret);
      }),
    );
  });
});

function zoneRequest(change: object): object {
  return { jsonrpc: "2.0", method: "list_agents", params: {}, id: "0d5b7c9e-2f41-4a63-9c85-e7a0b1d2f364", ...change };
}
