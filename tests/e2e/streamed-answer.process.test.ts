import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "@crosszone/execution";
import { expect, test, vi } from "vitest";
import { startCrosszone, type CrosszoneOptions } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 60_000 });

const words = "Slack is on one side of the wall, and agents are on the other one.".match(/\S+\s?/g) ?? [];
const answer = words.join("");

/** Returns an agent that streams words until `finish` is called. */
function writer(): { agent: Agent; finish: () => void } {
  const { promise: told, resolve: finish } = Promise.withResolvers<void>();
  const run: Agent["run"] = async (_input, { preview, signal }) => {
    for (const word of words) {
      preview?.text(word);
      await delay(20, undefined, { signal });
    }
    preview?.progress({ steps: [], text: "reading it once more" });
    await told;
    return { response_text: answer };
  };
  return { agent: { name: "writer", description: "Writes.", skills: [], run }, finish };
}

test.each<[NonNullable<CrosszoneOptions["link"]>, "on" | "off"]>([
  ["https", "on"],
  ["in-process", "on"],
  ["agentcore", "on"],
  ["https", "off"],
])("T1: over %s, an agent's text is shown before it has finished, with streams %s", async (link, streams) => {
  const { agent, finish } = writer();
  const zones = await startCrosszone({ agents: [agent], link, limits: { syncWindowMs: 2_000 } });
  if (streams === "off")
    zones.slack.control.setFault({
      method: "chat.startStream",
      kind: "error",
      error: "messages_tab_disabled",
      times: 100,
    });
  const question = zones.write({ text: "Tell me about the wall." });
  const shown = (): string => JSON.stringify(zones.replies(question)[0] ?? "");
  await vi.waitFor(() => expect(shown()).toContain("are on the other"), { timeout: 20_000 });
  await vi.waitFor(() => expect(shown()).toContain("reading it once more"), { timeout: 20_000 });
  expect(zones.replies(question)[0]?.stream?.state).toBe(streams === "on" ? "in_progress" : undefined);
  finish();
  const { text, stream, edited } = await zones.answerTo(question, 20_000);
  expect([text, stream?.state]).toEqual([answer, streams === "on" ? "completed" : undefined]);
  // Slack shows “(edited)” neither after a stream nor after edits with blocks.
  expect(edited).toBeUndefined();
  expect(zones.replies(question)).toHaveLength(1);
});

test("T1: in a channel, the requester sees the answer grow; another person's Stop ends the agent and keeps the text", async () => {
  const { agent } = writer();
  const left = Promise.withResolvers<void>();
  const run: Agent["run"] = (input, use) => {
    use.signal.addEventListener("abort", () => left.resolve());
    return agent.run(input, use);
  };
  const zones = await startCrosszone({ agents: [{ ...agent, run }] });
  const question = zones.write({ channel: "general", text: "@Crosszone Tell me about the wall." });
  const reply = () => zones.replies(question)[0];
  await vi.waitFor(() => expect(reply()?.markdown_text).toContain("on one side"), { timeout: 20_000 });
  expect(reply()?.stream).toMatchObject({ state: "in_progress", recipient: question.user });
  const stoppedAt = performance.now();
  zones.slack.control.stop({ channel: question.channel, thread_ts: question.ts, user: "bob" });
  await left.promise;
  expect(performance.now() - stoppedAt).toBeLessThan(1_000);
  const { text, blocks, edited } = await zones.answerTo(question, 20_000);
  expect(text).toContain("on one side");
  expect(blocks?.at(-1)).toMatchObject({
    type: "context",
    elements: [{ text: expect.stringMatching(/^Stopped by <@U/) }],
  });
  expect([edited, zones.replies(question).length]).toEqual([undefined, 1]);
});
