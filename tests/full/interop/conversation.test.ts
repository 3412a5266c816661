// @module-tag judge
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { type A2AAgentCardV1, isA2AAgentCardV1, problemsOf } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { pythonOf } from "../../harness/install-once.ts";
import { type SdkAgent, sdkNamed, sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { openThread, startKillableZones, startSdkZones, type Thread } from "./start-sdk-zones.ts";

/** A message with the beginning of the answer. Slack shows only some of its states, depending on when updates are accepted. */
const partial = /"text":"[^"]*\bOne [^".]*"/;

const run = promisify(execFile);

const secret = "0123456789abcdef0123456789abcdef";

const binding = "https://crosszone.dev/bindings/zone-link";

const cardOf = async (url: string): Promise<A2AAgentCardV1> =>
  (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as A2AAgentCardV1;

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

describe("conversation", () => {
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

  test("@a2a-js/sdk reads the card of the execution zone and finds no interface that it supports", async () => {
    const { url } = await startExecutionProcess({ EXECUTION_TOKEN: secret });
    const served = await cardOf(url);
    expect(problemsOf(isA2AAgentCardV1, served)).toEqual([]);
    const card = await new DefaultAgentCardResolver().resolve(url);
    expect(card.supportedInterfaces).toMatchObject([{ url: `${url}/rpc`, protocolBinding: binding }]);
    expect(card.securitySchemes["bearer"]?.scheme).toMatchObject({
      $case: "httpAuthSecurityScheme",
      value: { scheme: "Bearer" },
    });
    // The SDK's JSON omits members with their default value.
    const { capabilities, securityRequirements, ...members } = served;
    expect(capabilities).toEqual({ streaming: false, pushNotifications: false, extendedAgentCard: false });
    expect(securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
    expect(AgentCard.toJSON(card)).toMatchObject(members);
    await expect(new ClientFactory().createFromAgentCard(card)).rejects.toThrow(/transport/i);
  });

  test("the Python SDK reads the card of the execution zone and finds no interface that it supports", async () => {
    const { url } = await startExecutionProcess({ EXECUTION_TOKEN: secret });
    const agents = join(import.meta.dirname, "agents");
    const python = await pythonOf(join(agents, "requirements-1.txt"));
    const { stdout } = await run(python, [join(agents, "resolve_card.py"), url]);
    const { card, refusal } = JSON.parse(stdout) as { card: Partial<A2AAgentCardV1>; refusal: string };
    const { capabilities: _, securityRequirements, ...members } = await cardOf(url);
    expect(card).toMatchObject(members);
    expect(card.supportedInterfaces).toMatchObject([{ url: `${url}/rpc`, protocolBinding: binding }]);
    expect(securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
    expect(refusal).toMatch(/no compatible transports/i);
  });
});

test.each([
  ["execution", ["rpc,bridge"]],
  ["the process with the role bridge", ["bridge", "rpc"]],
])("I2, I4: %s is killed, and each question is sent once and gets one correct answer", async (_, roles) => {
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
