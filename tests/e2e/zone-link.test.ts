import { setTimeout as delay } from "node:timers/promises";
import { isJsonRpcResponse, isZoneRequest, ZoneError } from "@crosszone/contracts";
import type { Agent } from "@crosszone/execution";
import { describe, expect, test, vi } from "vitest";
import { tune } from "@crosszone/testkit/tune";
import { agentThat } from "../harness/start-called-zone.ts";
import { type Crosszone, startCrosszone, stateOf } from "../harness/start-crosszone.ts";

/** Finds the message in both zones' logs by its correlation id, and its requests by theirs. */
function expectIdsIn({ log }: Crosszone): void {
  const id = log.find(({ event }) => event === "event_accepted")?.["correlation_id"];
  const found = log.filter((line) => line["correlation_id"] === id);
  const both = new Set(["verification", "execution"]);
  expect(new Set(found.map(({ zone }) => zone))).toEqual(both);
  expect(found.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["event_accepted", "task_ended", "answer_posted"]),
  );
  for (const operation of ["execute_task", "get_async_task_result"]) {
    const request = found.find((line) => line["operation"] === operation)?.["request_id"];
    const zones = log.filter((line) => line["request_id"] === request).map(({ zone }) => zone);
    expect([operation, new Set(zones)]).toEqual([operation, both]);
  }
}

describe("what crosses the wall", () => {
  test("Z1, Z2, Z8, Z13, L1, L7: a long task is accepted, polled, and answered with one reply; all requests and answers are valid, and ids find them in both logs", async () => {
    const zones = await startCrosszone({ limits: { syncWindowMs: 50, maxWaitMs: 200 } });
    const root = zones.write({ text: "slow 2 done at last" });
    expect((await zones.answerTo(root)).markdown_text).toContain("done at last");
    expect(zones.replies(root)).toHaveLength(1);
    const polls = zones.slack.control.traffic().filter(({ name }) => name === "get_async_task_result");
    expect(polls.length).toBeGreaterThan(2);
    expect(polls.length).toBeLessThan(30);
    await vi.waitFor(() => expect(zones.log.map(({ event }) => event)).toContain("answer_posted"));
    expectIdsIn(zones);
    await zones.answerTo(zones.write({ text: "ask nobody: hello" }));
    const rpc = zones.slack.control.traffic().filter(({ kind }) => kind === "rpc");
    expect(rpc.map(({ name }) => name)).toEqual(expect.arrayContaining(["execute_task", "get_async_task_result"]));
    for (const { request, response } of rpc) {
      expect(isZoneRequest(request)).toBe(true);
      expect(isJsonRpcResponse(response)).toBe(true);
      expect((response as { id: unknown }).id).toBe((request as { id: unknown }).id);
    }
  });
});

describe("Z12: failures are a clear sentence with a reference, never a code or a stack", () => {
  const failures: [name: string, run: Agent["run"], sentence: RegExp][] = [
    ["an unexpected throw", () => Promise.reject(new TypeError("cannot read x of undefined")), /our side/],
    ["an agent that failed", () => Promise.reject(new ZoneError("agent_failed")), /could not finish/],
    ["an agent out of reach", () => Promise.reject(new ZoneError("agent_unavailable")), /cannot be reached/],
    ["a task past its deadline", (_input, { signal }) => delay(60_000, undefined, { signal }) as never, /too long/],
  ];

  test.each(failures)("%s", async (_name, run, sentence) => {
    const zones = await startCrosszone({
      agents: [agentThat("test-agent", run)],
      limits: { taskDeadlineMs: 1_500 },
      env: tune({ EXECUTION_RETRY_BUDGET_MS: 200 }),
    });
    const answer = await zones.answerTo(zones.write({ text: "go" }));
    expect(stateOf(answer)).toBe("failed");
    expect(answer.markdown_text).toMatch(sentence);
    expect(answer.markdown_text).toMatch(/Reference: [0-9a-f-]{8,}/);
    expect(answer.markdown_text).not.toMatch(/-32\d{3}|JSON|TypeError|undefined| at \w+ \(|RPC/);
    const reference = /Reference: ([0-9a-f-]{8,})/.exec(answer.markdown_text ?? "")?.[1] ?? "";
    expect(zones.log.some(({ correlation_id }) => String(correlation_id).startsWith(reference))).toBe(true);
  });

  test("an execution zone that is down", async () => {
    const zones = await startCrosszone({ env: tune({ EXECUTION_RETRY_BUDGET_MS: 300 }) });
    await zones.execution.stop();
    const answer = await zones.answerTo(zones.write({ text: "2+2" }));
    expect(stateOf(answer)).toBe("failed");
    expect(answer.markdown_text).toMatch(/cannot be reached right now[\s\S]*Reference: /);
  });

  test("an execution zone that answers nonsense", async () => {
    const zones = await startCrosszone({ link: "in-process" });
    zones.execution.app.dispatch = async () => "<html>It works!</html>";
    const answer = await zones.answerTo(zones.write({ text: "2+2" }));
    expect(stateOf(answer)).toBe("failed");
    expect(answer.markdown_text).toMatch(/could not read[\s\S]*Reference: /);
    expect(answer.markdown_text).not.toContain("html");
  });
});
