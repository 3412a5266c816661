import { expect, test } from "vitest";
import { sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { startSdkZones } from "./start-sdk-zones.ts";
import { openThread } from "./thread.ts";

test("I4: five messages of a thread have one contextId at the agent; another thread has another", async () => {
  const agents = await Promise.all(sdks.map(startSdkAgent));
  const { slack } = await startSdkZones(agents);
  const contextsOf = async (agent: (typeof agents)[number]): Promise<number[]> => {
    const [thread, other] = [openThread(slack.control, 60_000), openThread(slack.control, 60_000)];
    await thread.say(`ask ${agent.name}: message at once`);
    for (let count = 1; count < 5; count += 1)
      expect(await thread.say("message at once")).toContain("Hello from the agent.");
    await other.say(`ask ${agent.name}: message at once`);
    const ids = (await agent.journal()).map(({ contextId }) => contextId);
    return [ids.length, new Set(ids.slice(0, 5)).size, new Set(ids).size];
  };
  expect(await Promise.all(agents.map(contextsOf))).toEqual(agents.map(() => [6, 1, 2]));
});

/** A message with the beginning of the answer. Slack shows only some of its states, depending on when updates are accepted. */
const partial = /"text":"[^"]*\bOne [^".]*"/;

test("I2, T1: Slack shows the streams of agents on the official SDKs before they have finished", async () => {
  const agents = await Promise.all(sdks.map(startSdkAgent));
  const { slack } = await startSdkZones(agents);
  const shown = agents.map(async ({ name }) => {
    const thread = openThread(slack.control, 60_000);
    expect(await thread.say(`ask ${name}: streamed slowly`)).toContain("One piece after another.");
    return { name, isPartial: partial.test(thread.everShown()) };
  });
  expect(await Promise.all(shown)).toEqual(agents.map(({ name }) => ({ name, isPartial: true })));
});
