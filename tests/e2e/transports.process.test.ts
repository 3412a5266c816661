// suite: rest
import { transportContract } from "@crosszone/testkit";
import { expect, test, vi } from "vitest";
import { startZoneProcess, type ZoneProcess } from "@crosszone/testkit/process";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { startTestClouds } from "../harness/test-clouds.ts";
import { transportRows } from "../harness/transport-rows.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const clouds = await startTestClouds();

for (const { transport, auth, host, connect } of transportRows(() => clouds))
  transportContract(`${transport} · ${auth} · ${host}`, connect);

const startOn = async (env: Record<string, string>): Promise<ZoneProcess> =>
  startZoneProcess("execution", { EXECUTION_HOST: "127.0.0.1", EXECUTION_TOKEN: "", ...env });

const ask = async (url: string) => {
  const task = rpcOf("execute_task", { channel: "C1", text: "6*7", bot_token: "h" });
  return (await postAs("none", { accept: "application/json" })(url, task)).json();
};

test.each([
  ["agentcore", "/invocations", { EXECUTION_PORT: "0", CALLER_AUTH: "platform" }],
  ["cloud-run", "/rpc", { PORT: "0" }],
  ["foundry", "/invocations", { EXECUTION_PORT: "0" }],
] as const)(
  "Z11: as %s expects it, the process answers at %s, and stops when told to",
  async (...[HOST_PROFILE, path, env]) => {
    const zone = await startOn({ HOST_PROFILE, ...env });
    expect(await ask(zone.url + path)).toMatchObject({
      result: { response_text: expect.stringContaining("42"), skill: "arithmetic" },
    });
    expect((await fetch(`${zone.url}/ping`)).status).toBe(HOST_PROFILE === "agentcore" ? 200 : 404);
    expect(await zone.stop()).toBe(0);
  },
);

/** What verification follows by itself, after a while, in a session of its own. */
const isFeed = (method: unknown): boolean => /^(list_input_requests|list_fires|report_messages)$/.test(String(method));

test("Z11, Z8: a long task over AgentCore is started, polled and answered in one session; another task has another session", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore", limits: { syncWindowMs: 50 } });
  const asked = () =>
    (aws?.calls ?? [])
      .map(({ payload, session }) => {
        const { jsonrpc, id, method } = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
        return { jsonrpc, id, method, session };
      })
      .filter(({ method }) => !isFeed(method));
  const root = zones.write({ text: "slow 1 finished" });
  await vi.waitFor(() => expect(asked().length).toBeGreaterThan(0));
  const session = asked()[0]?.session ?? "";
  await vi.waitFor(async () => expect((await aws?.ping(session))?.status).toBe("HealthyBusy"));
  expect((await zones.answerTo(root)).markdown_text).toContain("finished");
  expect((await aws?.ping(session))?.status).toBe("Healthy");

  const [first, ...later] = asked();
  expect(first).toMatchObject({ jsonrpc: "2.0", method: "execute_task", id: session });
  expect(new Set(later.map(({ method }) => method))).toEqual(new Set(["get_async_task_result"]));
  expect(new Set(later.map((call) => call.session))).toEqual(new Set([session]));
  expect(zones.replies(root)).toHaveLength(1);

  await zones.answerTo(zones.write({ text: "2+2" }));
  expect(new Set(asked().map((call) => call.session)).size).toBe(2);
  expect(aws?.refused).toEqual([]);
});

test("L7, Z13: the correlation id reaches the other zone's log through AgentCore, which strips headers", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore" });
  // The parameters of this method have no correlation id.
  await zones.answerTo(zones.write({ text: "agents" }));
  const ofTask = zones.log.filter((line) => line.event === "rpc_answered" && !isFeed(line["operation"]));
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
  // Of one cause, the log has one line a minute.
  expect(zones.log.filter(({ event }) => event === "call_repeated")).toMatchObject([{ code: 429, attempt: 2 }]);
});

test("Z11, Z12: a request that AgentCore rejects gets a sentence with a reference, after one attempt", async () => {
  const { aws, ...zones } = await startCrosszone({ link: "agentcore" });
  aws?.next({ refuse: 402 });
  const answer = await zones.answerTo(zones.write({ text: "2+2" }));
  expect(answer.markdown_text).toMatch(/cannot be reached right now.*\n_Reference: /);
  expect(answer.markdown_text).not.toMatch(/402|quota|AWS|Exception/i);
  expect(aws?.calls).toHaveLength(1);
});

test("Z11: behind AgentCore the built-in agent reads files, and stops when told", async () => {
  const zones = await startCrosszone({ link: "agentcore", limits: { syncWindowMs: 50 } });
  const csv = { name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\nAlan,41\n" };
  const read = zones.write({ text: "what did I attach", files: [csv] });
  expect((await zones.answerTo(read)).markdown_text).toContain("`ages.csv`: 3 lines");

  const before = zones.log.length;
  const slow = zones.write({ text: "slow 60" });
  await vi.waitFor(() => expect(zones.log.slice(before).map(({ event }) => event)).toContain("task_accepted"));
  zones.write({ text: "stop", thread_ts: slow.ts });
  await vi.waitFor(() =>
    expect(zones.log).toContainEqual(expect.objectContaining({ event: "task_ended", state: "canceled" })),
  );
  expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
});
