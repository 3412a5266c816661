import { expect, test } from "vitest";
import type { ControlEvent } from "../protocol/control-api.ts";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";

const DM = "D0ALICE0001";

function statusesOf(dev: DevSlack): string[] {
  const statuses: string[] = [];
  dev.control.subscribe((event: ControlEvent) => {
    if (event.type === "status") statuses.push(event.status);
  });
  return statuses;
}

test("an assistant status goes away when the app replies; a session status does not", async () => {
  const dev = await devSlackForTest();
  const statuses = statusesOf(dev);
  const { ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "work" });
  const thread = { channel_id: DM, thread_ts };
  const thinking = { ...thread, status: "is thinking…", loading_messages: ["looking", "reading"] };
  expect(await callWebApi(dev, "assistant.threads.setStatus", thinking)).toEqual({ ok: true });
  await postAsApp(dev, DM, { text: "here", thread_ts });
  expect(statuses).toEqual(["is thinking…", ""]);
  const processing = { ...thread, status: "processing", title: "Work" };
  expect(await callWebApi(dev, "agents.sessions.setStatus", processing)).toMatchObject({
    status: "processing",
    title: "Work",
  });
  await postAsApp(dev, DM, { text: "more", thread_ts });
  dev.control.stop({ channel: DM, thread_ts, user: "alice" });
  expect(statuses).toEqual(["is thinking…", "", "processing"]);
  const active = { ...thread, status: "active", title: "Another title" };
  expect(await callWebApi(dev, "agents.sessions.setStatus", active)).toMatchObject({
    agent_status: "active",
    title: "Work",
  });
});

test("a status needs a real thread and a known word", async () => {
  const dev = await devSlackForTest();
  const { ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "work" });
  const set = async (args: Record<string, unknown>) =>
    (await callWebApi(dev, "agents.sessions.setStatus", { channel_id: DM, thread_ts, status: "active", ...args }))[
      "error"
    ];
  expect(await set({ status: "busy" })).toBe("invalid_arguments");
  expect(await set({ thread_ts: "1700000000.000100" })).toBe("invalid_thread_ts");
  expect(await set({ thread_ts: "" })).toBe("invalid_arguments");
  expect(await set({ channel_id: "D0NOWHERE01" })).toBe("channel_not_found");
  expect(await set({ title: "x".repeat(201) })).toBe("invalid_arguments");
});

test("up to four prompts are suggested, with or without a thread", async () => {
  const dev = await devSlackForTest();
  const prompt = { title: "Summarize", message: "Summarize this thread" };
  const suggest = (prompts: unknown[], more = {}) =>
    callWebApi(dev, "assistant.threads.setSuggestedPrompts", { channel_id: DM, prompts, ...more });
  expect(await suggest([prompt])).toEqual({ ok: true });
  expect(dev.control.agentView().prompts).toEqual([{ channel: DM, prompts: [prompt] }]);
  expect(await suggest([prompt, prompt, prompt, prompt, prompt])).toMatchObject({ error: "invalid_arguments" });
  expect(await suggest([prompt], { thread_ts: "1700000000.000100" })).toMatchObject({ error: "invalid_thread_ts" });
});

test("prompts are a conversation's or a thread's own, and the last ones count", async () => {
  const dev = await devSlackForTest();
  const { ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "work" });
  const suggest = (message: string, more = {}) =>
    callWebApi(dev, "assistant.threads.setSuggestedPrompts", {
      channel_id: DM,
      prompts: [{ title: "Go", message }],
      ...more,
    });
  await suggest("one");
  await suggest("two", { title: "How can I help?" });
  await suggest("three", { thread_ts });
  expect(dev.control.agentView().prompts).toEqual([
    { channel: DM, title: "How can I help?", prompts: [{ title: "Go", message: "two" }] },
    { channel: DM, thread_ts, prompts: [{ title: "Go", message: "three" }] },
  ]);
});

test("a thread's title is set, and set again", async () => {
  const dev = await devSlackForTest();
  const { ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "work" });
  const setTitle = (title: string, more = {}) =>
    callWebApi(dev, "assistant.threads.setTitle", { channel_id: DM, thread_ts, title, ...more });
  expect(await setTitle("Work")).toEqual({ ok: true });
  await setTitle("Much work");
  expect(dev.control.agentView().threads).toEqual([{ channel: DM, thread_ts, status: "", title: "Much work" }]);
  expect(await (await fetch(`${dev.url}/control/agent`)).json()).toEqual(dev.control.agentView());
  const rename = (title: string) => callWebApi(dev, "agents.sessions.rename", { channel_id: DM, thread_ts, title });
  expect(await rename("Less work")).toMatchObject({ ok: true });
  expect(await rename("x".repeat(201))).toMatchObject({ error: "invalid_arguments" });
  expect(dev.control.agentView().threads).toMatchObject([{ title: "Less work" }]);
  expect(await setTitle("")).toMatchObject({ error: "invalid_arguments" });
  expect(await setTitle("Work", { thread_ts: "1700000000.000100" })).toMatchObject({ error: "invalid_thread_ts" });
  expect(await setTitle("Work", { channel_id: "D0NOWHERE01" })).toMatchObject({ error: "channel_not_found" });
});
