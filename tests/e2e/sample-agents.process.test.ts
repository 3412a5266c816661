import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { samples } from "@crosszone/dev-agents";
import type { TrafficEntry } from "@crosszone/dev-slack";
import { expect, onTestFinished, test, vi } from "vitest";
import { expectFaultSentences } from "../harness/fault-agents.ts";
import { stateOf } from "@crosszone/dev-slack/client";
import { startWithAgents } from "../harness/start-with-agents.ts";

// Each test starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const partsOf = (body: unknown): unknown =>
  (body as { params?: { message?: { parts?: unknown } } }).params?.message?.parts ?? body;

test("R3.1, D4: a question in Slack goes over the bus to an agent of either protocol, and its answer is posted to the thread", async () => {
  const { agents, ask, answerTo, write, log, slack } = await startWithAgents();
  expect((await answerTo(write({ text: "agents" }))).text).toEqual(
    expect.toSatisfy((text: string) => samples.every(({ name }) => text.includes(name))),
  );
  expect(await ask("proofreader", "This is is a test .")).toMatch(/^\*\*proofreader\*\*\n\n2 things to look at:\n/);
  expect(await ask("keywords", "the agent asks the other agent")).toContain("agent, 2 times");
  expect(await ask("fingerprint", "abc")).toMatch(/^\*\*fingerprint\*\*\n\nSHA-256 of 3 bytes: `ba7816bf8f01cfea\w+`$/);

  const [first] = agents.control("proofreader").asked;
  expect(partsOf(first?.body)).toEqual([{ kind: "text", text: "This is is a test ." }]);
  expect(agents.control("fingerprint").asked).toMatchObject([{ body: { input: { text: "abc" } } }]);
  const followed = agents.control("keywords").asked.map(({ body }) => (body as { method: string }).method);
  expect([followed[0], new Set(followed.slice(1))]).toEqual(["message/send", new Set(["tasks/get"])]);
  const asked = samples.flatMap(({ name }) => agents.control(name).asked);
  const ofEvents = new Set(log.filter(({ event }) => event === "event_accepted").map((line) => line["correlation_id"]));
  for (const { headers } of asked) expect(ofEvents).toContain(headers["x-correlation-id"]);
  for (const secret of [slack.botToken, slack.signingSecret]) expect(JSON.stringify(asked)).not.toContain(secret);
});

test("the local Slack shows the requests to an agent and the responses", async () => {
  // The local Slack starts after the zone that posts to it.
  const slackUrl = Promise.withResolvers<string>();
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const headers = { "content-type": "application/json" };
    const passed = await fetch(`${await slackUrl.promise}${request.url}`, { method: "POST", headers, body });
    response.writeHead(passed.status).end();
  };
  const door = createServer((request, response) => void passOn(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => void door.close());
  await once(door, "listening");
  const { port } = door.address() as AddressInfo;
  const env = { AGENT_EXCHANGES_URL: `http://127.0.0.1:${port}/control/agent-exchanges` };
  const { ask, slack, log } = await startWithAgents({ env });
  slackUrl.resolve(slack.url);
  await ask("proofreader", "This is is a test .");
  const shown = (): TrafficEntry[] => slack.control.traffic().filter(({ kind }) => kind === "agent");
  await expect.poll(shown, { timeout: 10_000 }).toHaveLength(1);
  const [accepted] = log.filter(({ event }) => event === "event_accepted");
  expect(shown()[0]).toMatchObject({
    name: "proofreader: message/send",
    status: 200,
    verdict: `jsonrpc-2.0, ${String(accepted?.["correlation_id"])}`,
    request: { params: { message: { parts: [{ text: "This is is a test ." }] } } },
    response: { result: { kind: "message" } },
  });
});

test("R8.6, N4: an agent's fault is reported in words, retried if that may help, and does not affect later questions", async () => {
  const zones = await startWithAgents({ timeoutMs: 5_000 });
  await expectFaultSentences(zones);
  const paused = zones.agents.control("fingerprint");
  paused.fault = "rate_limited";
  expect(await zones.ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");
  const [first = 0, second = 0] = paused.asked.map(({ at }) => Date.parse(at));
  // The delay that the agent asked for, less the error of a timer and two clocks.
  expect(second - first).toBeGreaterThan(900);
});

test("R8.6: a call to an agent that never answers ends in time, after the configured attempts", async () => {
  const { agents, ask } = await startWithAgents({ timeoutMs: 300 });
  agents.control("fingerprint").fault = "hang";
  expect(await ask("fingerprint", "abc")).toContain("Reference");
  expect(agents.control("fingerprint").asked).toHaveLength(4);
});

test("N5: a stop reaches the agent too, whether it answers late or is polled", async () => {
  const { agents, ask, write, answerTo } = await startWithAgents({ taskMs: 600_000 });
  const [late, followed] = [agents.control("proofreader"), agents.control("keywords")];
  late.fault = "hang";
  const questions = ["ask proofreader: it is is late", "ask keywords: later"].map((text) => write({ text }));
  await vi.waitFor(() => expect([late.asked.length, followed.asked.length > 1]).toEqual([1, true]), 20_000);
  expect(await ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");
  for (const { ts, channel } of questions) write({ text: "stop", thread_ts: ts, channel });
  for (const question of questions) expect(stateOf(await answerTo(question, 20_000))).toBe("stopped");
  await vi.waitFor(() => expect(late.asked).toMatchObject([{ left: true }]), 20_000);
  const methods = (): string[] => followed.asked.map(({ body }) => (body as { method: string }).method);
  await vi.waitFor(() => expect(methods().filter((method) => method === "tasks/cancel")).toHaveLength(1), 20_000);
  // An open poll may arrive after the cancellation, on another connection.
  expect(methods().length - methods().indexOf("tasks/cancel")).toBeLessThanOrEqual(2);
});
