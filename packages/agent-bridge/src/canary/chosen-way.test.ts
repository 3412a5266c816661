import type { AgentRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { agentOf } from "../testing/agent-record.ts";
import { agentOnWay, chooseWay } from "./chosen-way.ts";

const canary = { url: "http://new/", share: 0.1, max_error_rate: 0.05, max_latency_ratio: 2, min_tasks: 20 };
const withCanary = (members: Partial<AgentRecord> = {}): AgentRecord =>
  agentOf({ url: "http://old/", canary, canary_since: "2026-01-01T00:00:00.000Z", ...members });
const tasks = Array.from({ length: 2_000 }, (_, index) => ({ task_id: `t${index}` }));
const ofCanary = (agent: AgentRecord): string[] =>
  tasks.filter((task) => chooseWay(agent, task).trial?.isCanary === true).map(({ task_id }) => task_id);

test("K2: a canary gets its share of the tasks; a larger share keeps the tasks it had", () => {
  const tenth = ofCanary(withCanary());
  expect(tenth.length / tasks.length).toBeCloseTo(0.1, 1);
  const half = ofCanary(withCanary({ canary: { ...canary, share: 0.5 } }));
  expect(half.length / tasks.length).toBeCloseTo(0.5, 1);
  expect(half).toEqual(expect.arrayContaining(tenth));
  expect(ofCanary(withCanary({ canary: { ...canary, share: 0 } }))).toEqual([]);
  expect(ofCanary(withCanary({ canary: { ...canary, share: 1 } }))).toHaveLength(tasks.length);
});

test("K2: all tasks of a conversation go to the same side", () => {
  const ways = tasks.map((task) =>
    chooseWay(withCanary({ canary: { ...canary, share: 0.5 } }), { ...task, context_id: "c" }),
  );
  expect(new Set(ways.map(({ url }) => url)).size).toBe(1);
});

test("without a canary the agent is called unchanged", () => {
  const agent = agentOf({ url: "http://old/" });
  const way = chooseWay(agent, { task_id: "t" });
  expect(way).toEqual({ protocol: "jsonrpc-2.0", protocol_config: {}, url: "http://old/" });
  expect(agentOnWay(agent, way)).toBe(agent);
});

test("a configuration is not used with another protocol", () => {
  const agent = withCanary({
    canary: { ...canary, protocol: "a2a-1.0", share: 1 },
    protocol_config: { version: "2.0" },
  });
  expect(chooseWay(agent, { task_id: "t" })).toMatchObject({ protocol: "a2a-1.0", protocol_config: {} });
});

test("K2: the canary side has its own name and id, so that it has its own circuit", () => {
  const agent = withCanary({ canary: { ...canary, share: 1 } });
  const called = agentOnWay(agent, chooseWay(agent, { task_id: "t" }));
  expect(called).toMatchObject({ url: "http://new/", name: "scout (canary)" });
  expect(called.id).not.toBe(agent.id);
  const former = agentOnWay(agent, { protocol: "simple-a2a", protocol_config: {}, url: "http://older/" });
  expect(former).toMatchObject({ protocol: "simple-a2a", name: "scout (former)" });
});
