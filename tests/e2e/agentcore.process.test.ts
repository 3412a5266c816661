import { createBuiltinOnThreads } from "@crosszone/execution";
import { expect, onTestFinished, test, vi } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { tune } from "@crosszone/testkit/tune";

test("Z11, Z8: a long task over AgentCore is started, polled and answered in one session; another task has another session", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore", limits: { syncWindowMs: 50 } });
  const root = zones.write({ text: "slow 1 finished" });
  await vi.waitFor(() => expect(aws?.calls.length).toBeGreaterThan(0));
  const [first] = aws?.calls ?? [];
  const session = first?.session ?? "";
  await vi.waitFor(async () => expect((await aws?.ping(session))?.status).toBe("HealthyBusy"));
  expect((await zones.answerTo(root)).markdown_text).toContain("finished");
  expect((await aws?.ping(session))?.status).toBe("Healthy");

  const asked = aws?.calls.map(({ payload }) => JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>);
  expect(asked?.[0]).toMatchObject({ jsonrpc: "2.0", method: "execute_task", id: session });
  expect(asked?.length).toBeGreaterThan(1);
  expect(new Set(asked?.slice(1).map(({ method }) => method))).toEqual(new Set(["get_async_task_result"]));
  expect(new Set(aws?.calls.map((call) => call.session))).toEqual(new Set([session]));
  expect(zones.replies(root)).toHaveLength(1);

  await zones.answerTo(zones.write({ text: "2+2" }));
  expect(new Set(aws?.calls.map((call) => call.session)).size).toBe(2);
  expect(aws?.refused).toEqual([]);
});

test("L7, Z13: the correlation id reaches the other zone's log through AgentCore, which strips headers", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore" });
  // The parameters of this method have no correlation id.
  await zones.answerTo(zones.write({ text: "agents" }));
  const ofTask = zones.log.filter(({ event }) => event === "rpc_answered");
  expect(new Set(ofTask.map(({ zone }) => zone))).toEqual(new Set(["verification", "execution"]));
  expect(new Set(ofTask.map((line) => line["correlation_id"])).size).toBe(1);
  expect(ofTask.find(({ zone }) => zone === "execution")).toMatchObject({ asked_by: "agentcore" });
  expect(aws?.refused).toEqual([]);
});

test("Z11, Z8: people don't see that AgentCore throttles, conflicts or fails temporarily", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore", limits: { syncWindowMs: 50 } });
  aws?.next({ refuse: 429 }, { refuse: 409 }, { refuse: 500 });
  const root = zones.write({ text: "slow 0.3 finished" });
  expect((await zones.answerTo(root)).markdown_text).toContain("finished");
  expect(aws?.calls.slice(0, 4).map(({ status }) => status)).toEqual([429, 409, 500, 200]);
  expect(zones.log.filter(({ event, zone }) => event === "task_started" && zone === "execution")).toHaveLength(1);
  expect(zones.log.filter(({ event }) => event === "task_retried")).toEqual([]);
  const repeated = zones.log.filter(({ event }) => event === "call_repeated");
  expect(repeated).toMatchObject([429, 409, 500].map((code, index) => ({ code, attempt: index + 2 })));
});

test("Z11, Z12: a request that AgentCore rejects gets a sentence with a reference, after one attempt", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore" });
  aws?.next({ refuse: 402 });
  const answer = await zones.answerTo(zones.write({ text: "2+2" }));
  expect(answer.markdown_text).toMatch(/cannot be reached right now.*\n_Reference: /);
  expect(answer.markdown_text).not.toMatch(/402|quota|AWS|Exception/i);
  expect(aws?.calls).toHaveLength(1);
});

test("L2: a lost answer is requested again, and the task runs once", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore", env: tune({ EXECUTION_TIMEOUT_MS: 700 }) });
  aws?.next({ lose: true }, { silent: "within" }, { lose: true });
  expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
  expect(new Set(aws?.calls.map(({ session }) => session)).size).toBe(1);
  expect(zones.log.filter(({ event, zone }) => event === "task_started" && zone === "execution")).toHaveLength(1);
});

test("L3: an agent on threads works behind AgentCore too: it reads files, and stops when told", async () => {
  const builtin = createBuiltinOnThreads(1, { onThreadEnded: (cause) => expect.unreachable(cause.message) });
  onTestFinished(() => builtin.close());
  const zones = await startCrosszone({ link: "agentcore", agents: [builtin.agent], limits: { syncWindowMs: 50 } });
  const csv = { name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\nAlan,41\n" };
  const read = zones.write({ text: "text statistics", files: [csv] });
  expect((await zones.answerTo(read)).markdown_text).toContain("| Words | 6 |");

  const slow = zones.write({ text: "slow 60" });
  await vi.waitFor(() => expect(zones.log.filter(({ event }) => event === "task_accepted").length).toBeGreaterThan(0));
  zones.write({ text: "stop", thread_ts: slow.ts });
  await vi.waitFor(() =>
    expect(zones.log).toContainEqual(expect.objectContaining({ event: "task_ended", state: "canceled" })),
  );
  expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
});
