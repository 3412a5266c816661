import { expect, test } from "vitest";
import { sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { startSdkZones } from "./start-sdk-zones.ts";
import { openThread } from "./thread.ts";

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
