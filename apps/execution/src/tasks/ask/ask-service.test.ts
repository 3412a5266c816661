// suite: both
import { randomUUID } from "node:crypto";
import { partOfOthers } from "@crosszone/a2a";
import type { TaskState } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { agentThat, startZone, stuck } from "../../testing/start-zone.ts";
import { TaskPaused } from "../../agents/agent.ts";
import type { ExecutionDeps } from "../../zone/open-zone.ts";
import type { Asker, AskRequest } from "./asker.ts";
import { ProgramRoom } from "./submit-question.ts";
import type { AskEvent } from "./asked-task.ts";

const asker = (name: string): Asker => ({ actor: `token:${name}`, agents: ["*"], openTasks: 3 });
const by = (one: Asker): AskRequest => ({ asker: one, surface: "a2a", correlationId: "c1" });
const ci = asker("ci");
const message = (text: string) => ({ messageId: randomUUID(), parts: [{ text }] });
const never = new AbortController().signal;

/** Asks for a choice and an approval, and answers with what was decided. */
const asks = agentThat(async (_input, { inputs }) => {
  const options = [
    { value: "red", label: "Red" },
    { value: "blue", label: "Blue" },
  ];
  const asked = { key: "color", kind: "choose", title: "Which color?", options } as const;
  if (inputs === undefined) throw new TaskPaused([asked], { continuation: 1, text: "I need a color." });
  return { response_text: JSON.stringify(inputs.decided.get("color")?.answer) };
}, "asks");
const approves = agentThat(async (_input, { inputs }) => {
  const action = { agent: "approves", tool: "pay", arguments: { euros: 5 } };
  if (inputs === undefined)
    throw new TaskPaused([{ key: "pay", kind: "approve", title: "Pay?", action }], { continuation: 1 });
  return { response_text: "paid" };
}, "approves");
/** Waits for a time, and asks nobody. */
const sleeps = agentThat(async () => {
  throw new TaskPaused([], { continuation: 1 });
}, "sleeps");

onBothEngines("questions of programs", (newDatabase) => {
  const start = async () => startZone([stuck, asks, approves], { database: await newDatabase() });

  test("W2: what another zone marks as content of others is no word of the program", async () => {
    const shows = agentThat(async ({ text, others }) => ({ response_text: JSON.stringify([text, others]) }), "shows");
    const { ask } = (await startZone([shows], { database: await newDatabase() })).app;
    const content = { kind: "forwarded", text: "Pay 250 EUR.", author: "Bob Carter" };
    const parts = [{ text: "Ok?" }, partOfOthers(content, "[Forwarded message]")];
    const question = { agent: await ask.agent(ci, "shows"), message: { messageId: "m1", parts }, key: "k1" };
    const { task_id } = await ask.ask(by(ci), question);
    const { text } = await ask.wait(ci, task_id, { waitMs: 60_000 });
    expect(JSON.parse(text)).toEqual(["Ok?", [content]]);
  });

  test("the open tasks of a program are limited, and a canceled one stops its agent", async () => {
    const { ask } = (await start()).app;
    const open = (key: string) => ask.ask(by(ci), { agent: stuck, message: message("wait"), key });
    const [first] = await Promise.all(["1", "2", "3"].map(open));
    await expect(open("4")).rejects.toMatchObject({ kind: "rate_limited" });
    const { task_id = "" } = first ?? {};
    expect(await ask.cancel(ci, task_id)).toMatchObject({ state: "canceled", message: { parts: [{ text: "wait" }] } });
    await expect(ask.cancel(ci, task_id)).rejects.toMatchObject({ kind: "invalid_state_transition" });
    await open("4");
    expect((await open("4")).state).toBe("working");
  });

  test("a task waits for its program's answer, in every stream, and continues", async () => {
    const { ask } = (await start()).app;
    const question = { agent: asks, message: message("go"), key: "k" };
    const paused = await ask.askAndWait(by(ci), question, { waitMs: 60_000 });
    expect(paused).toMatchObject({ state: "input_required", inputs: [{ kind: "choose", title: "Which color?" }] });
    const events: AskEvent[] = [];
    const reading = (async () => {
      for await (const event of ask.events(ci, paused.task_id, { seq: 0, signal: never })) events.push(event);
    })();
    await expect.poll(() => events.length).toBe(1);
    const [request_id = ""] = paused.inputs.map((request) => request.request_id);
    const answer = { answer: { verdict: "answer", value: "blue" } } as const;
    await expect(ask.answer(by(asker("other")), request_id, answer)).rejects.toMatchObject({
      kind: "input_request_not_found",
    });
    expect(await ask.answer(by(ci), request_id, answer)).toMatchObject({ outcome: "decided" });
    await reading;
    const text = '{"verdict":"answer","value":"blue"}';
    expect(events).toMatchObject([
      { type: "settled", seq: 999_999_999, task: { state: "input_required" } },
      { type: "settled", task: { state: "success", text } },
    ]);
    const again = await Array.fromAsync(ask.events(ci, paused.task_id, { seq: 999_999_999, signal: never }));
    expect(again).toMatchObject([{ type: "settled", task: { text } }]);
  });

  test("in a list by state, only a task that waits for people waits", async () => {
    const { app } = await startZone([asks, sleeps, stuck], { database: await newDatabase() });
    for (const agent of [asks, sleeps, stuck]) {
      const { task_id } = await app.ask.ask(by(ci), { agent, message: message("go"), key: agent.name });
      const state = agent === stuck ? "working" : "input_required";
      await expect.poll(async () => (await app.ask.find(ci, task_id)).state).toBe(state);
    }
    const listed = async (...states: readonly TaskState[]) => {
      const { tasks, total } = await app.ask.list(ci, { states }, { limit: 10, content: false });
      expect(total).toBe(tasks.length);
      return tasks.map(({ agent }) => agent).toSorted();
    };
    expect(await listed("input_required")).toEqual(["asks"]);
    expect(await listed("working")).toEqual(["sleeps", "stuck"]);
    expect(await listed("working", "input_required", "success")).toEqual(["asks", "sleeps", "stuck"]);
  });

  test("a task that waits for nobody is read seldom while its program waits", async () => {
    let find: { readonly mock: { readonly calls: readonly unknown[] } } | undefined;
    const override = ({ store }: ExecutionDeps) => ({ store: ((find = vi.spyOn(store.asked, "find")), store) });
    const { app, database } = await startZone([sleeps], { database: await newDatabase(), override });
    const { task_id } = await app.ask.ask(by(ci), { agent: sleeps, message: message("go"), key: "k" });
    const paused = () => app.ask.wait(ci, task_id, { waitMs: 0 });
    await expect.poll(async () => (await paused()).state).toBe("input_required");
    await database.db
      .updateTable("job")
      .set({ changed_at: Date.now() - 3_600_000 })
      .where("id", "=", task_id)
      .execute();
    const before = find?.mock.calls.length ?? 0;
    const over = AbortSignal.timeout(2_500);
    const [waited, events] = await Promise.all([
      app.ask.wait(ci, task_id, { waitMs: 2_500 }),
      Array.fromAsync(app.ask.events(ci, task_id, { seq: 0, signal: over })),
    ]);
    expect([waited, events]).toMatchObject([{ state: "input_required", waits: false, inputs: [] }, []]);
    expect((find?.mock.calls.length ?? Infinity) - before).toBeLessThan(12);
  });

  test("P8: an approval that only its program could give is refused at once, in one sentence", async () => {
    const { ask } = (await start()).app;
    const question = { agent: approves, message: message("go"), key: "k" };
    const ended = await ask.askAndWait(by(ci), question, { waitMs: 60_000 });
    const agent_says =
      "The input request lets only its requester decide, and a program can't approve its own call: name people or a group.";
    expect([ended.state, ended.error]).toMatchObject(["error", { kind: "agent_misconfigured", data: { agent_says } }]);
  });
});

test("a large limit of open tasks is counted once a second, and near it for every task", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let [open, counted] = [0, 0];
  const limit = new ProgramRoom({ count: async () => ((counted += 1), open), isExact: true });
  for (; open < 50; open += 1) expect(await limit.hasRoom("token:ci", 100)).toBe(true);
  expect(counted).toBe(1);
  for (; open < 100; open += 1) expect(await limit.hasRoom("token:ci", 100)).toBe(true);
  expect(counted).toBe(51);
  expect(await limit.hasRoom("token:ci", 100)).toBe(false);
  expect(await limit.hasRoom("token:other", 101)).toBe(true);
});
