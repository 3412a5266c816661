import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readContract } from "./testing/contract.ts";
import {
  errorTable,
  isErrorKind,
  zoneMethods,
  agentErrorTable,
  channels,
  isAgentErrorKind,
  ZoneError,
  isAgentAuth,
  isExecuteTaskParams,
  isJsonRpcError,
  isJsonRpcId,
  isTaskState,
  isZoneRequest,
  problemsOf,
  type Validator,
} from "./index.ts";

const { types } = readContract();
const rows = Object.entries(errorTable);

test.each([
  ["ErrorKind", errorTable, isErrorKind],
  ["AgentErrorKind", agentErrorTable, isAgentErrorKind],
])("E1: each %s has exactly one row, each row a kind", (title, table, isKind) => {
  expect(Object.keys(table)).toEqual(types.find((type) => type.title === title)?.schema.enum);
  expect(Object.keys(table).every((kind) => isKind(kind))).toBe(true);
});

test("E1, E2: the codes on the zone link", () => {
  expect(Object.fromEntries(rows.map(([kind, { code }]) => [kind, code]))).toEqual({
    parse_error: -32700,
    invalid_request: -32600,
    method_not_found: -32601,
    invalid_params: -32602,
    internal: -32603,
    timeout: -32001,
    task_not_found: -32000,
    input_request_not_found: -32000,
    unknown_agent: -32000,
    invalid_state_transition: -32000,
    agent_unavailable: -32010,
    agent_failed: -32011,
    agent_invalid_response: -32012,
    rate_limited: -32013,
    unauthorized: -32014,
    payload_too_large: -32015,
    canceled: -32016,
    shutting_down: -32017,
    agent_misconfigured: -32018,
    agent_lost_task: -32019,
    agent_lost_answer: -32020,
    zone_unavailable: -32021,
  });
});

test("only errors that a second attempt can avoid are retryable", () => {
  const retryable = [errorTable, agentErrorTable].map((table) =>
    Object.entries(table).flatMap(([kind, row]) => (row.retryable ? [kind] : [])),
  );
  expect(retryable).toEqual([
    ["agent_unavailable", "rate_limited", "shutting_down", "zone_unavailable"],
    ["unreachable", "call_timeout", "http_unavailable", "rate_limited", "rpc_unavailable"],
  ]);
});

test("each method declares the errors that every request can have", () => {
  for (const [method, { errors }] of Object.entries(zoneMethods))
    expect([method, ...errors]).toEqual(expect.arrayContaining(["invalid_params", "internal"]));
});

test("the channels of the bus keep the topics that existing executors know", () => {
  expect(Object.entries(channels).map(([name, { topic, key }]) => [name, topic, key])).toEqual([
    ["agent_tasks", "orchestrator.tasks.http", "task_id"],
    ["agent_results", "results.topic", "task_id"],
    ["agent_cancellations", "orchestrator.tasks.cancel", "task_id"],
  ]);
});

test("L5: the public data is carried; the cause is kept for the log and is not serialized", () => {
  const cause = new Error("password=hunter2");
  const error = new ZoneError("internal", { correlation_id: "c1" }, { cause });
  const { title: message, retryable } = errorTable.internal;
  expect(error).toMatchObject({ name: "ZoneError", kind: "internal", message, retryable });
  expect(error.data).toEqual({ correlation_id: "c1" });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain("hunter2");
  expect(error.message).not.toContain("hunter2");
});

const params = { channel: "C024BE91L", text: "Hello", bot_token: "task-handle-3f9c2b7a51d84e06" };

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
    "must be one of submitted, working, input_required, success, error, canceled, timed_out",
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

test("S14: a problem never repeats the input", () => {
  const secret = "task-handle-3f9c2b7a51d84e06";
  const holding = fc.constantFrom([secret], { [secret.slice(0, 4)]: secret }, secret);
  const bot_token = fc.constantFrom([secret], { token: secret });
  fc.assert(
    fc.property(fc.record({ channel: holding, text: holding, bot_token, agent: holding }), (value) => {
      const problems = problemsOf(isExecuteTaskParams, value);
      expect(problems).not.toEqual([]);
      expect(JSON.stringify(problems)).not.toContain(secret);
    }),
  );
});

function zoneRequest(change: object): object {
  return { jsonrpc: "2.0", method: "list_agents", params: {}, id: "0d5b7c9e-2f41-4a63-9c85-e7a0b1d2f364", ...change };
}
