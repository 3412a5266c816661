import type { AgentResult } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { startBridgedAgent } from "../../testing/start-bridged-agent.ts";

const link = "Log in at https://idp.example.com/a";
const asksToLogIn: Partial<AgentResult> = {
  status: "FAILURE",
  output_data: null,
  open_task_id: "remote-1",
  error: {
    kind: "auth_required",
    message: "asks",
    retryable: false,
    data: { task_id: "remote-1", response: link, agent_says: link },
  },
};
const empty = { output_data: { text: "Your calendar is empty." } };
const unknown = { status: "FAILURE", error: { kind: "task_lost", message: "no", retryable: false } } as const;
const unreachable = { status: "FAILURE", error: { kind: "unreachable", message: "no", retryable: true } } as const;

const start = (...results: readonly Partial<AgentResult>[]) => startBridgedAgent(results);

test("J18: a person who logs in gets the answer: the agent's task is looked at again and again, and never sent a message", async () => {
  const { calls, pause, run, after, kept } = start(asksToLogIn, asksToLogIn, unreachable, empty);
  const first = await pause();
  expect(first.text).toBe(`${link}\n\n_Once that is done, I go on by myself. You can also reply in this thread._`);
  expect([first.awaited, first.lookAgainMs]).toEqual([[], 5_000]);
  // The next message of the thread continues the agent's task.
  expect(kept.at(-1)).toMatchObject({ openTaskId: "remote-1", isFollowed: true });
  const second = await pause(after(first));
  const third = await pause(after(second));
  expect([second.lookAgainMs, third.lookAgainMs, third.text]).toEqual([6_250, 7_812.5, first.text]);
  expect(await run(after(third))).toMatchObject({ response_text: "Your calendar is empty." });
  expect(kept.at(-1)).toEqual({});
  const looks = calls.slice(1);
  expect(new Set(calls.map(({ task }) => task.task_id)).size).toBe(4);
  for (const { task, headers } of looks)
    expect({ task, headers }).toMatchObject({ task: { open_task_id: "remote-1" }, headers: { follows: "true" } });
  expect(calls[0]?.headers).not.toHaveProperty("follows");
});

test("J18: looks become rare, and after a day the thread reads that a reply continues it", async () => {
  const { clock, pause, run, after } = start(...Array.from({ length: 99 }, () => asksToLogIn));
  let paused = await pause();
  for (let look = 0; look < 40; look += 1) paused = await pause(after(paused));
  expect(paused.lookAgainMs).toBe(300_000);
  clock.at += 86_400_001;
  expect(await run(after(paused))).toMatchObject({ response_text: link, awaits: "authorization" });
});

test("J18: an agent that stores its task only at the end has not lost it at once", async () => {
  const early = start(asksToLogIn, unknown, empty);
  expect(await early.run(early.after(await early.pause(early.after(await early.pause()))))).toMatchObject({
    response_text: "Your calendar is empty.",
  });
  const late = start(asksToLogIn, ...Array.from({ length: 20 }, () => unknown));
  let paused = await late.pause();
  for (let look = 0; look < 10; look += 1) paused = await late.pause(late.after(paused));
  await expect(late.run(late.after(paused))).rejects.toMatchObject({ kind: "agent_lost_task" });
});

test("J18: a reply in the thread takes over, and the answer comes once", async () => {
  const { calls, pause, run, after } = start(asksToLogIn, empty);
  const paused = await pause();
  expect(await run(undefined, { task_id: "t2", text: "done" })).toMatchObject({
    response_text: "Your calendar is empty.",
  });
  expect(calls[1]?.task).toMatchObject({ open_task_id: "remote-1", input_data: { text: "done" } });
  expect(await run(after(paused))).toEqual({ response_text: "_This went on with your reply._" });
  expect(calls).toHaveLength(2);
});

test("J18: nor twice when the reply comes while the paused task looks", async () => {
  const { pause, run, after, whileCalled } = start(asksToLogIn, empty, empty);
  const paused = await pause();
  whileCalled(async () => void (await run(undefined, { task_id: "t2", text: "done" })));
  expect(await run(after(paused))).toEqual({ response_text: "_This went on with your reply._" });
});

test("J18: a program is told at once, can reply, and gets the answer if the agent goes on by itself", async () => {
  const program = { hops: 0 };
  const { calls, pause, run, after, kept } = start(asksToLogIn, asksToLogIn, empty);
  const first = await pause(undefined, program);
  expect(first).toMatchObject({ question: { awaits: "authorization", text: link }, lookAgainMs: 5_000 });
  expect(first.awaited).toMatchObject([{ key: "a2a.1.0", kind: "text" }]);
  expect(kept.at(-1)?.openTaskId).toBeUndefined();
  const second = await pause(after(first), program);
  expect(second.awaited).toEqual(first.awaited);
  const reply = { "a2a.1.0": { state: "answered", answer: { verdict: "answer", value: "done" } } } as const;
  expect(await run(after(second, reply), program)).toMatchObject({ response_text: "Your calendar is empty." });
  expect(calls[2]?.task).toMatchObject({ input_data: { text: "done" }, open_task_id: "remote-1" });
  expect(calls[2]?.headers).not.toHaveProperty("follows");
});

test("J18: an authorization without a task, or of a tool's agent, stays an answer", async () => {
  const { open_task_id: _none, ...noTask } = asksToLogIn;
  expect(await start(noTask).run()).toMatchObject({ response_text: link, awaits: "authorization" });
  const ofTool = { parent_task_id: "t0" };
  expect(await start(asksToLogIn).run(undefined, ofTool)).toMatchObject({ awaits: "authorization" });
});
