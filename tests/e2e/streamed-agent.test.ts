import { expect, test, vi } from "vitest";
import { startCrosszone, type Crosszone } from "../harness/start-crosszone.ts";
import { startStreamingAgent } from "../harness/start-streaming-agent.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Starts both zones with a registered agent that streams artifacts when the test says so. */
async function startWriter() {
  const [goOn, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const url = await startStreamingAgent(async function* () {
    yield { artifactId: "one", text: "Slack is on one side " };
    yield { artifactId: "one", text: "of the wall." };
    await goOn.promise;
    yield { artifactId: "two", text: "Agents are on the other one" };
    await end.promise;
    yield { artifactId: "two", text: ", far away." };
  });
  const zones = await startCrosszone({
    limits: { syncWindowMs: 2_000 },
    env: { AGENTS_FILE: await writeAgentsFile([{ name: "writer", url }]), AGENT_ORIGINS: url },
  });
  return { zones, goOn: goOn.resolve, end: end.resolve };
}

const shownIn = (zones: Crosszone, question: ReturnType<Crosszone["write"]>): string =>
  zones.replies(question)[0]?.text ?? "";

test("I2, T1: Slack shows the stream of a registered agent before the agent has finished", async () => {
  const { zones, goOn, end } = await startWriter();
  const question = zones.write({ text: "ask writer: tell me about the wall" });
  const shows = (words: string): Promise<void> =>
    vi.waitFor(() => expect(shownIn(zones, question)).toContain(words), { timeout: 20_000 });
  // The last word is withheld, since it may begin a link.
  await shows("Slack is on one side of the ");
  expect(shownIn(zones, question)).not.toContain("Agents");
  goOn();
  await shows("Slack is on one side of the wall.\n\nAgents are on the other ");
  end();
  const { text, blocks } = await zones.answerTo(question, 20_000);
  // The folded plan above the text names the agent.
  expect(blocks?.[0]).toMatchObject({ type: "plan", title: expect.stringMatching(/^Used writer · \d+\.\d s$/) });
  expect(text).toBe("Slack is on one side of the wall.\n\nAgents are on the other one, far away.");
});
