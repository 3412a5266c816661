import { expect, test } from "vitest";
import { readContract } from "../scripts/read-contract.ts";
import { errorTable, isErrorKind, zoneMethods } from "./index.ts";

const { types } = readContract();
const rows = Object.entries(errorTable);

test("E1: each error kind has exactly one row, each row a kind", () => {
  const kinds = types.find(({ title }) => title === "ErrorKind")?.schema.enum;
  expect(Object.keys(errorTable)).toEqual(kinds);
  expect(rows.every(([kind]) => isErrorKind(kind))).toBe(true);
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
  });
});

test("only errors that a second attempt can avoid are retryable", () => {
  const retryable = rows.filter(([, row]) => row.retryable).map(([kind]) => kind);
  expect(retryable).toEqual(["agent_unavailable", "rate_limited", "shutting_down"]);
});

test("titles are fixed texts that distinguish the kinds and reveal nothing internal", () => {
  expect(new Set(rows.map(([, { title }]) => title)).size).toBe(rows.length);
  for (const [, { title, description }] of rows) {
    expect(title).toMatch(/^[A-Z][A-Za-z ]{4,30}$/);
    expect(description).toMatch(/\.$/);
  }
});

test("the method map, the request's method and the declared errors use the same names", () => {
  const methods = types.find(({ title }) => title === "ZoneRequest")?.schema.properties?.["method"]?.enum;
  expect(Object.keys(zoneMethods)).toEqual(methods);
  for (const [method, { errors }] of Object.entries(zoneMethods)) {
    expect([method, errors.filter((kind) => !(kind in errorTable))]).toEqual([method, []]);
    expect([method, ...errors]).toEqual(expect.arrayContaining(["invalid_params", "internal"]));
  }
});
