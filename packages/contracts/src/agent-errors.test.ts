import { expect, test } from "vitest";
import { readContract } from "../scripts/read-contract.ts";
import { agentErrorTable, channels, isAgentErrorKind } from "./index.ts";

const rows = Object.entries(agentErrorTable);

test("E1: each agent error kind has exactly one row, each row a kind", () => {
  const kinds = readContract().types.find(({ title }) => title === "AgentErrorKind")?.schema.enum;
  expect(Object.keys(agentErrorTable)).toEqual(kinds);
  expect(rows.every(([kind]) => isAgentErrorKind(kind))).toBe(true);
});

test("the bridge retries only errors that may be transient", () => {
  const retryable = rows.filter(([, row]) => row.retryable).map(([kind]) => kind);
  expect(retryable).toEqual(["unreachable", "call_timeout", "http_unavailable", "rate_limited", "rpc_unavailable"]);
});

test("titles are fixed texts that distinguish the kinds", () => {
  expect(new Set(rows.map(([, { title }]) => title)).size).toBe(rows.length);
  for (const [, { title, description }] of rows) {
    expect(title).toMatch(/^[A-Z][A-Za-z -]{4,30}$/);
    expect(description).toMatch(/\.$/);
  }
});

test("the channels of the bus keep the topics that existing executors know", () => {
  expect(Object.entries(channels).map(([name, { topic, key }]) => [name, topic, key])).toEqual([
    ["agent_tasks", "orchestrator.tasks.http", "task_id"],
    ["agent_results", "results.topic", "task_id"],
    ["agent_cancellations", "orchestrator.tasks.cancel", "task_id"],
  ]);
});
