import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "@crosszone/execution";
import { expect, test, vi } from "vitest";
import { startCrosszone, type CrosszoneOptions } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 60_000 });

const words = "Slack is on one side of the wall, and agents are on the other one.".match(/\S+\s?/g) ?? [];
const answer = words.join("");

/** Shows a word at a time until it is told to end. */
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

test.each<NonNullable<CrosszoneOptions["link"]>>(["https", "in-process", "agentcore"])(
  "T1: over %s, what an agent has written is shown before it is done",
  async (link) => {
    const { agent, finish } = writer();
    const zones = await startCrosszone({ agents: [agent], link, limits: { syncWindowMs: 2_000 } });
    const question = zones.write({ text: "Tell me about the wall." });
    const shown = (): string => zones.replies(question)[0]?.text ?? "";
    await vi.waitFor(() => expect(shown()).toContain("are on the other"), { timeout: 20_000 });
    await vi.waitFor(() => expect(shown()).toContain("reading it once more"), { timeout: 20_000 });
    finish();
    const { text } = await zones.answerTo(question, 20_000);
    expect(text).toBe(answer);
  },
);
