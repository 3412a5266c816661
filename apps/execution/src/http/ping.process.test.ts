import { setTimeout } from "node:timers/promises";
import { moduleBeside } from "@crosszone/service-kit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createWorkerAgent } from "../agents/threads/worker-agent.ts";
import { agentThat, startZone, task, type TestZone } from "../testing/start-zone.ts";
import { createObedientAgent } from "../testing/thread-agents.ts";
import { hostProfiles, type PingAnswer } from "./host-profile.ts";

const profile = hostProfiles.agentcore;
const ping = async ({ url }: TestZone): Promise<PingAnswer> =>
  (await (await fetch(`${url}/ping`)).json()) as PingAnswer;

test("Z11: /ping is busy while any task runs, and returns the time of the last change in Unix seconds", async () => {
  const started = Math.floor(Date.now() / 1000);
  const open: (() => void)[] = [];
  const agent = agentThat(async () => {
    await new Promise<void>((resolve) => open.push(resolve));
    return { response_text: "done" };
  });
  const zone = await startZone([agent], { profile, syncWindowMs: 10 });
  const idle = await ping(zone);
  expect(idle).toEqual({ status: "Healthy", time_of_last_update: expect.toSatisfy(Number.isInteger) });
  expect(idle.time_of_last_update - started).toBeLessThanOrEqual(5);
  await setTimeout(1_050);
  expect(await ping(zone)).toEqual(idle);

  await zone.call("execute_task", task(), "1");
  const busy = await ping(zone);
  expect(busy.status).toBe("HealthyBusy");
  expect(busy.time_of_last_update).toBeGreaterThan(idle.time_of_last_update);
  await setTimeout(1_050);
  await zone.call("execute_task", task(), "2");
  expect(await ping(zone)).toEqual(busy);

  open[0]?.();
  await setTimeout(20);
  expect(await ping(zone)).toEqual(busy);
  open[1]?.();
  await vi.waitFor(async () => expect((await ping(zone)).status).toBe("Healthy"));
  expect((await ping(zone)).time_of_last_update).toBeGreaterThan(busy.time_of_last_update);
});

describe("L3: /ping while an agent computes for two seconds", () => {
  /** Resolves with the durations of the pings that ran during the task, milliseconds. */
  async function pingsDuring(agent: Agent): Promise<number[]> {
    const zone = await startZone([agent], { profile, syncWindowMs: 10_000 });
    await zone.call("execute_task", task({ text: "warm up" }));
    const state = { done: false };
    const spun = zone.call("execute_task", task({ text: "spin 2000" })).finally(() => (state.done = true));
    const times: number[] = [];
    while (!state.done) {
      const startedAt = performance.now();
      const { status } = await ping(zone);
      if (status === "HealthyBusy") times.push(performance.now() - startedAt);
      await setTimeout(10);
    }
    expect(await spun).toMatchObject({ result: { response_text: "spun" } });
    return times.toSorted((a, b) => a - b);
  }

  test("L3, Z11: on its own thread, the agent never delays /ping", async () => {
    const module = moduleBeside(import.meta.url, "../testing/thread-agents");
    const settings = { module, factory: "createObedientAgent", threads: 1, onThreadEnded: () => {} };
    const agent = createWorkerAgent(createObedientAgent(), settings);
    onTestFinished(() => agent.close());
    const times = await pingsDuring(agent);
    const at = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
    process.stdout.write(
      `/ping beside a computation: ${times.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
    );
    expect(times.length).toBeGreaterThan(20);
    expect(times.at(Math.floor(times.length / 2))).toBeLessThan(500);
  });

  test("on the main thread, the agent delays /ping, which shows that the measurement works", async () => {
    expect((await pingsDuring(createObedientAgent())).length).toBeLessThan(5);
  });
});
