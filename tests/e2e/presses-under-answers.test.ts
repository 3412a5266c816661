import { ZoneError } from "@crosszone/contracts";
import type { Message } from "@crosszone/dev-slack";
import type { Agent } from "@crosszone/execution";
import { expect, test } from "vitest";
import { type Crosszone, startCrosszone, stateOf } from "../harness/start-crosszone.ts";

let failures = 0;
const agentOf = (name: string, run: Agent["run"]): Agent => ({ name, description: "Answers.", skills: [], run });
const echo: Agent["run"] = async ({ text, user_id }) => {
  return { response_text: `${user_id} said ${text}`, follow_ups: ["And <!here> tomorrow?"] };
};
const flaky: Agent["run"] = async (input, context) => {
  failures += 1;
  if (failures === 1) throw new ZoneError("agent_failed", { agent: "builtin" });
  return echo(input, context);
};
const agents: readonly Agent[] = [agentOf("builtin", flaky), agentOf("other", echo)];

/** Returns the id of an element in blocks that contains `part`. */
function elementId(blocks: unknown, part: string): string | undefined {
  if (typeof blocks !== "object" || blocks === null) return undefined;
  if ("action_id" in blocks && String(blocks.action_id).includes(part)) return String(blocks.action_id);
  return Object.values(blocks)
    .map((one) => elementId(one, part))
    .find((id) => id !== undefined);
}

/** Presses an element under an answer. */
const act = (
  { slack }: Crosszone,
  { channel, ts, blocks }: Message,
  { verb, ...more }: { verb: string; user?: string; value?: string },
) => {
  return slack.control.act({ user: "alice", channel, ts, action_id: elementId(blocks, verb) ?? verb, ...more });
};

/** Resolves with an ephemeral message, or the answer in the thread, that has this text. */
const shown = ({ slack }: Crosszone, text: string) =>
  slack.control.waitForMessage((one) => JSON.stringify(one).includes(text) && stateOf(one) !== "working");

test("a failed answer is asked again by its author, and a follow-up by anybody, through both zones", async () => {
  failures = 0;
  const zones = await startCrosszone({ agents });
  const root = zones.write({ channel: "general", text: "@Crosszone hello" });
  const failed = await zones.answerTo(root);
  expect(stateOf(failed)).toBe("failed");
  await act(zones, failed, { verb: "answer:again", user: "bob" });
  expect(await shown(zones, "Only <@U0ALICE0001> can ask this again.")).toMatchObject({ ephemeral_for: "U0BOB000001" });
  await act(zones, failed, { verb: "answer:again" });
  const answer = await shown(zones, "U0ALICE0001 said hello");
  await act(zones, failed, { verb: "answer:other", value: `${root.ts} other` });
  await shown(zones, "Asked other.");
  await act(zones, answer, { verb: "answer:prompt", user: "bob" });
  const anchor = await shown(zones, "<@U0BOB000001> asked: And &lt;");
  expect(anchor).toMatchObject({ thread_ts: root.ts });
  await shown(zones, "U0BOB000001 said And <");
  await act(zones, answer, { verb: "answer:rate", value: "bad" });
  const [modal] = zones.slack.control.views("alice");
  const view_id = modal?.id ?? "";
  await zones.slack.control.act({ view_id, user: "alice", action_id: "value", value: "Wrong" });
  expect(await zones.slack.control.submitView({ view_id, user: "alice" })).not.toHaveProperty("errors");
  await shown(zones, "Thank you for your feedback.");
  expect(zones.slack.control.warnings()).toEqual([]);
  // What is below an answer comes with it.
  expect(zones.slack.control.traffic().filter(({ name }) => name === "chat.update")).toEqual([]);
});
