import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWithAgents } from "../harness/start-with-agents.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Starts both zones with the recorded model of `pnpm demo:model`. */
async function startDemo() {
  const model = await LLMock.create({ port: 0, chunkSize: 8, latency: 30 });
  onTestFinished(() => model.stop());
  model.loadFixtureFile(resolve(import.meta.dirname, "../../examples/models/demo.json"));
  const zones = await startWithAgents({
    env: { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/demo" },
    files: true,
  });
  return { ...zones, model };
}

test("G1, G2: a recorded model streams a story, asks an agent as its tool, writes a file, and reads it", async () => {
  const { write, answerTo, replies, slack } = await startDemo();
  const story = write({ text: "tell me a story" });
  await vi.waitFor(() => expect(replies(story)[0]?.text).toContain("Once there were two rooms."), { timeout: 30_000 });
  expect(replies(story)[0]?.stream?.state).toBe("in_progress");
  expect((await answerTo(story, 60_000)).text).toContain("And the keys had stayed where they belonged.");

  const proofread = await answerTo(write({ text: "proofread this: This is is a test ." }), 60_000);
  expect(proofread.text).toMatch(/^Let me ask the proofreader\.\s+The proofreader found/);
  const calls = slack.control.traffic().filter(({ name }) => name === "execute_task");
  expect(JSON.stringify(calls)).toContain('"Ask proofreader"');

  const table = write({ text: "make a file" });
  await answerTo(table, 60_000);
  await slack.control.idle();
  const files = replies(table).flatMap(({ files: attached = [] }) => attached);
  expect(files).toMatchObject([{ name: "zones.csv" }]);

  const content = slack.control.file(files[0]?.id ?? "").bytes.toString();
  const attached = [{ name: "zones.csv", mimetype: "text/csv", content }];
  expect((await answerTo(write({ text: "what is this?", files: attached }), 60_000)).text).toContain(
    "a table of two rows",
  );
});

test("T5: Stop while the model writes closes its socket, and no more of the story is shown", async () => {
  const { write, answerTo, replies, slack, model } = await startDemo();
  const story = write({ text: "tell me a story" });
  await vi.waitFor(() => expect(replies(story)[0]?.text).toContain("Once there were"), { timeout: 30_000 });
  const began = performance.now();
  slack.control.stop({ channel: story.channel, thread_ts: story.ts, user: "alice" });
  const { text, blocks } = await answerTo(story, 30_000);
  expect(text).toContain("Once there were");
  expect(JSON.stringify(blocks)).toContain("Stopped.");
  expect(text).not.toContain("the keys had stayed");
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(model.getRequests()).toHaveLength(1);
});
