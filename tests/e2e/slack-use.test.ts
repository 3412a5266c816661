import type { Agent } from "@crosszone/execution";
import { expect, test, vi } from "vitest";
import { agentThat } from "../harness/start-called-zone.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { notices } from "../harness/slack-actions.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const start = async (policy: object = {}) => {
  const asked: Parameters<Agent["run"]>[0][] = [];
  const agent = agentThat("builtin", async (input) => {
    asked.push(input);
    return { response_text: `You said: ${input.text}` };
  });
  const env = withPolicy(policy);
  return { ...(await startCrosszone({ agents: [agent], env })), asked };
};

test("W30: an app outside the Marketplace reads 15 messages of a thread, and its agent is told that the newest are missing", async () => {
  const zones = await start();
  const { control } = zones.slack;
  const { ts: thread_ts } = zones.write({ channel: "general", user: "bob", text: "root" });
  for (let count = 1; count < 30; count += 1)
    zones.write({ channel: "general", user: "bob", thread_ts, text: `reply ${count}` });
  control.setUnlisted(true);
  await zones.answerTo(zones.write({ channel: "general", thread_ts, text: "@Crosszone what happened?" }));
  const thread = zones.asked[0]?.thread ?? [];
  expect([thread.length, thread[0]?.text, thread.at(-1)]).toMatchObject([
    15,
    "root",
    { text: "reply 14", unreadable: [{ what: "The messages of this thread after this one" }] },
  ]);
});

test("W29: a message that is deleted is asked about by nobody: not by a reaction, nor by a form that was open", async () => {
  const zones = await start({ reactions: { ticket: "builtin" } });
  const { control } = zones.slack;
  const gone = zones.write({ channel: "general", user: "bob", text: "never mind" });
  await control.runShortcut({ ...gone, user: "alice", callback_id: "ask_about" });
  const place = { view_id: control.views("alice")[0]?.id ?? "", user: "alice" };
  await control.act({ ...place, block_id: "answer", action_id: "value", value: "why?" });
  control.deleteMessage({ ...gone, user: "bob" });
  await control.submitView(place);
  const { channel, ts } = gone;
  const item = { type: "message", channel, ts };
  control.sendEvent({
    type: "reaction_added",
    user: "U0CHIYO0001",
    reaction: "ticket",
    item,
    event_ts: "1795890001.0001",
  });
  await vi.waitFor(() => expect(notices(zones)).toHaveLength(2));
  await control.idle();
  const told = new Set(notices(zones).map(({ ephemeral_for }) => ephemeral_for));
  expect(told).toEqual(new Set(["U0ALICE0001", "U0CHIYO0001"]));
  expect(notices(zones).every(({ text }) => text.startsWith("That message is gone"))).toBe(true);
  expect([zones.asked, control.messages({ channel }).filter((one) => one.ephemeral_for === undefined)]).toEqual([
    [],
    [],
  ]);
});
