import { type ChatMessage, LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { startFramework } from "../full/interop/start-sdk-agent.ts";
import { openThread, startSdkZones } from "../full/interop/start-sdk-zones.ts";
import { noteWorksWith } from "./works-with.ts";

const calling = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });
const isLatest = (words: string) => ({
  predicate: ({ messages }: { readonly messages: readonly ChatMessage[] }) =>
    JSON.stringify(messages.at(-1)).includes(words),
});

const bee = { name: "BeeAI", version: "0.1.85" };
const kagent = { name: "kagent", version: "0.10.4", note: "Its server is tried without its cluster." };

test.each([
  { software: bee, folder: "beeai", answer: (response: string) => calling("final_answer", { response }) },
  { software: kagent, folder: "kagent-adk", answer: (content: string) => ({ content }) },
])("I9, J8: $software.name answers twice in a thread, without its calls of tools", async ({ software, ...agent }) => {
  const model = await LLMock.create({ port: 0, chunkSize: 5, latency: 5 });
  onTestFinished(() => model.stop());
  for (const place of ["Oslo", "Lima"]) {
    model.on(isLatest(`It is noon in ${place}.`), agent.answer(`**Noon** in ${place}`));
    model.on(isLatest(`in ${place}?`), calling("read_clock", { place }));
  }
  const folder = `../../../external/${agent.folder}`;
  const url = await startFramework({ title: software.name, folder }, model.url);
  const { slack } = await startSdkZones([{ name: "peer", url }]);
  const thread = openThread(slack.control, 60_000);
  const say = async (words: string) => (await thread.say(words)).replace(/^\*\*peer\*\*\n\n/, "");
  expect(await say("ask peer: What time is it in Oslo?")).toBe("**Noon** in Oslo");
  expect(await say("And in Lima?")).toBe("**Noon** in Lima");
  expect(thread.everShown()).not.toMatch(/read_clock|final_answer|It is noon/);
  // Each answer needs a call of the tool and one with the words.
  expect(model.getRequests()).toHaveLength(4);
  expect(JSON.stringify(model.getRequests().at(-1))).toContain("time is it in Oslo?");
  noteWorksWith({ ...software, as: "framework", passed: 2, of: 2 });
});
