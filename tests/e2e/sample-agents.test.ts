import { samples } from "@crosszone/dev-agents";
import { expect, test, vi } from "vitest";
import { stateOf } from "../harness/converse.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

// Each test starts a process; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 });

const partsOf = (body: unknown): unknown =>
  (body as { params?: { message?: { parts?: unknown } } }).params?.message?.parts ?? body;

test("R3.1, D4: a question in Slack goes over the bus to an agent of either protocol, and its answer comes to the thread", async () => {
  const { agents, ask, answerTo, write, log, slack } = await startWithAgents();
  expect((await answerTo(write({ text: "agents" }))).text).toEqual(
    expect.toSatisfy((text: string) => samples.every(({ name }) => text.includes(name))),
  );
  expect(await ask("proofreader", "This is is a test .")).toContain("twice in a row");
  expect(await ask("keywords", "the agent asks the other agent")).toContain("agent, 2 times");
  expect(await ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");

  const [first] = agents.control("proofreader").asked;
  expect(partsOf(first?.body)).toMatchObject([{ kind: "text", text: "This is is a test ." }, { kind: "text" }]);
  expect(agents.control("fingerprint").asked).toMatchObject([{ body: { input: { text: "abc" } } }]);
  const followed = agents.control("keywords").asked.map(({ body }) => (body as { method: string }).method);
  expect([followed[0], new Set(followed.slice(1))]).toEqual(["message/send", new Set(["tasks/get"])]);
  const asked = samples.flatMap(({ name }) => agents.control(name).asked);
  const ofEvents = new Set(log.filter(({ event }) => event === "event_accepted").map((line) => line["correlation_id"]));
  for (const { headers } of asked) expect(ofEvents).toContain(headers["x-correlation-id"]);
  for (const secret of [slack.botToken, slack.signingSecret]) expect(JSON.stringify(asked)).not.toContain(secret);
});

test("R8.6, N4: what an agent does wrong is told in words, asked again when that may help, and harms no later question", async () => {
  const { agents, ask } = await startWithAgents();
  const told = {
    rpc_error: "could not finish this",
    bad_request: "could not finish this",
    malformed: "I could not read",
    wrong_id: "I could not read",
    oversized: "I could not read",
    redirect: "cannot be reached",
    slow: "twice in a row",
    working: "twice in a row",
    flaky: "twice in a row",
    rate_limited: "twice in a row",
  } as const;
  const agent = agents.control("proofreader");
  for (const [fault, sentence] of Object.entries(told)) {
    agent.reset();
    agent.fault = fault as keyof typeof told;
    expect([fault, await ask("proofreader", `it is is ${fault}`)]).toEqual([fault, expect.stringContaining(sentence)]);
    const ids = agent.asked.map(({ body }) => (body as { id: string }).id);
    expect([fault, new Set(ids).size]).toEqual([fault, 1]);
    const calls = { flaky: 3, rate_limited: 2, working: expect.any(Number) as number };
    expect([fault, ids.length]).toEqual([fault, { ...calls }[fault] ?? 1]);
  }
  agent.reset();
  expect(await ask("proofreader", "it is is well")).toContain("twice in a row");
});

test("N5: a person who stops a question stops it at the agent too, whether that answers late or is followed", async () => {
  const { agents, ask, write, answerTo } = await startWithAgents({ taskMs: 600_000 });
  const [late, followed] = [agents.control("proofreader"), agents.control("keywords")];
  late.fault = "hang";
  const questions = ["ask proofreader: it is is late", "ask keywords: later"].map((text) => write({ text }));
  await vi.waitFor(() => expect([late.asked.length, followed.asked.length > 1]).toEqual([1, true]), 20_000);
  expect(await ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");
  for (const { ts, channel } of questions) write({ text: "stop", thread_ts: ts, channel });
  for (const question of questions) expect(stateOf(await answerTo(question, 20_000))).toBe("stopped");
  await vi.waitFor(() => expect(late.asked).toMatchObject([{ left: true }]), 20_000);
  await vi.waitFor(() => expect(followed.asked.at(-1)).toMatchObject({ body: { method: "tasks/cancel" } }), 20_000);
});
