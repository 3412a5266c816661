import { expect, test } from "vitest";
import { sdkNamed, startSdkAgent, type SdkAgent } from "./start-sdk-agent.ts";
import { openThread, startKillableZones, type Thread } from "./start-sdk-zones.ts";

const soon = { timeout: 60_000, interval: 50 };

const cases = [
  { scenario: "3 s task", words: "This took three seconds.", files: [] },
  { scenario: "streamed slowly", words: "One piece after another.", files: [] },
  { scenario: "file out later", words: "The table is attached.", files: ["fruit,count\napples,3\n"] },
];

/** Returns how often each text was sent to the agent. */
async function sendsOf({ journal }: SdkAgent): Promise<Record<string, number>> {
  const sent = Object.groupBy(await journal(), ({ text = "" }) => text);
  return Object.fromEntries(Object.entries(sent).map(([text, entries = []]) => [text, entries.length]));
}

test.each([
  ["execution", ["rpc,bridge"]],
  ["the process with the role bridge", ["bridge", "rpc"]],
])("I2, I4, I5: %s is killed, and each question is sent once and gets one correct answer", async (_, roles) => {
  const agents = await Promise.all(["js03", "js1", "py03", "py1"].map((name) => startSdkAgent(sdkNamed(name))));
  const { slack, start, followed } = await startKillableZones(agents);
  const [dying] = await Promise.all(roles.map(start));
  if (dying === undefined) throw new Error("No process was started.");
  const asked = agents.map((agent) => ({ agent, thread: openThread(slack.control, 60_000) }));
  await Promise.all(
    asked.map(async ({ agent, thread }) =>
      expect(await thread.say(`ask ${agent.name}: input-required`)).toContain("Which city do you fly to?"),
    ),
  );
  const open = agents.flatMap((agent) =>
    cases.map((one) => {
      const thread = openThread(slack.control, 60_000);
      thread.write(`ask ${agent.name}: ${one.scenario}`);
      return { ...one, agent, thread };
    }),
  );
  await expect.poll(followed, soon).toBe(open.length);
  dying.signal("SIGKILL");
  await dying.ended;
  await start(roles[0] ?? "");

  const reads = async (thread: Thread, words: string, answers: number): Promise<void> => {
    expect(await thread.answer()).toContain(words);
    expect(thread.answers()).toHaveLength(answers);
  };
  await Promise.all([
    ...open.map(async ({ thread, words, files }) => {
      await reads(thread, words, 1);
      await expect.poll(() => [...thread.files().values()], soon).toEqual(files);
    }),
    ...asked.map(async ({ thread }) => {
      thread.write("Oslo");
      await reads(thread, "Booked: Oslo.", 2);
    }),
  ]);
  const once = Object.fromEntries([...cases.map(({ scenario }) => [scenario, 1]), ["input-required", 1], ["Oslo", 1]]);
  expect(await Promise.all(agents.map(sendsOf))).toEqual(agents.map(() => once));
});
