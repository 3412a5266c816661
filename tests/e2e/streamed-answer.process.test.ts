// suite: rest
import { setTimeout as delay } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import type { Agent } from "@crosszone/execution";
import { expect, onTestFinished, test, vi } from "vitest";
import { notices, rejectStreams, shownText, tasksStarted, waitForNotices } from "../harness/slack-actions.ts";
import { type CrosszoneOptions, startCrosszone, startWithAgents } from "../harness/start-crosszone.ts";

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
  if (streams === "off") rejectStreams(zones);
  const question = zones.write({ text: "Tell me about the wall." });
  const shown = (): string => JSON.stringify(zones.replies(question)[0] ?? "");
  await vi.waitFor(() => expect(shown()).toContain("are on the other"));
  await vi.waitFor(() => expect(shown()).toContain("reading it once more"));
  expect(zones.replies(question)[0]?.stream?.state).toBe(streams === "on" ? "in_progress" : undefined);
  finish();
  const { text, stream, edited } = await zones.answerTo(question);
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
  await vi.waitFor(() => expect(reply()?.markdown_text).toContain("on one side"));
  expect(reply()?.stream).toMatchObject({ state: "in_progress", recipient: question.user });
  const stoppedAt = performance.now();
  zones.slack.control.stop({ channel: question.channel, thread_ts: question.ts, user: "bob" });
  await left.promise;
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  const { text, blocks, edited } = await zones.answerTo(question);
  expect(text).toContain("on one side");
  expect(blocks?.at(-1)).toMatchObject({
    type: "context",
    elements: [{ text: expect.stringMatching(/^Stopped by <@U/) }],
  });
  expect([edited, zones.replies(question).length]).toEqual([undefined, 1]);
});

const greeting = "Hello <!channel> <!here> <@U0BOB000001> <!subteam^S123> @everyone, see https://example.com ";

test("S18: a streamed answer has no link before its last change, which unfurls nothing", async () => {
  const run: Agent["run"] = async (_input, { preview }) => {
    preview?.text(greeting);
    await delay(1_500);
    return { response_text: greeting };
  };
  const zones = await startCrosszone({ agents: [{ name: "speaker", description: "", skills: [], run }] });
  const greeted = await zones.answerTo(zones.write({ text: "greet" }));
  expect(shownText(greeted)).toContain("https://example.com");
  const streamed = zones.slack.control.traffic().filter(({ name }) => /^chat\..*Stream$/.test(name));
  expect(streamed.map(({ name }) => name)).toContain("chat.appendStream");
  const said = JSON.stringify(streamed);
  expect(said).toContain("https:\u200B//example.com");
  expect(said).not.toMatch(/https:\/\/example|<!channel|<!here|<!subteam|<@U0BOB/);
});

test("a question that waits behind another one in its thread gets one queued notice, then the answer", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ channel: "general", text: "@Crosszone slow 3" });
  await vi.waitUntil(() => tasksStarted(zones) === 1);
  const queued = zones.write({ channel: "general", user: "bob", text: "@Crosszone 2+2", thread_ts: root.ts });
  const [told] = await waitForNotices(zones);
  expect(told).toMatchObject({
    text: "Your question is queued. In a thread, I answer one question at a time.",
    thread_ts: root.ts,
    ephemeral_for: queued.user,
  });
  expect(tasksStarted(zones)).toBe(1);
  await vi.waitUntil(() => zones.replies(root).some((reply) => reply.markdown_text?.includes("4")));
  expect(notices(zones)).toHaveLength(1);
});

test("a question that starts within a second gets no queued notice", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "slow 0.3" });
  await vi.waitUntil(() => tasksStarted(zones) === 1);
  zones.write({ text: "2+2", thread_ts: root.ts });
  await vi.waitUntil(() => tasksStarted(zones) === 2);
  await delay(1_200);
  expect(notices(zones)).toEqual([]);
});

const isSummary = (body: unknown): boolean => JSON.stringify(body).includes("You keep the memory");

test("G6: the assistant knows what people wrote between its turns, and a summary of a thread that is too long", async () => {
  const model = await LLMock.create({ port: 0 });
  onTestFinished(() => model.stop());
  model.on({ predicate: ({ messages }) => isSummary(messages) }, { content: "Bob chose the name Heron." });
  model.on({}, { content: "Noted." });
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/local", MAX_MODEL_INPUT_TOKENS: "400" };
  const { write, answerTo, slack } = await startWithAgents({ env });
  const sent = (): string[] => model.getRequests().map(({ body }) => JSON.stringify(body));

  const root = write({ channel: "general", user: "bob", text: "The project is called Heron." });
  const inThread = { channel: "general", thread_ts: root.ts };
  await answerTo(write({ ...inThread, user: "alice", text: "@Crosszone please take note" }), 60_000);
  expect(sent().at(-1)).toMatch(/\[Message of Bob Carter\]\\nThe project is called Heron\./);

  write({ ...inThread, user: "bob", text: "<@U0BOB000001> the budget is 40 thousand" });
  await answerTo(write({ ...inThread, user: "alice", text: "@Crosszone and that?" }), 60_000);
  expect(sent().at(-1)).toMatch(/The project is called Heron.*Noted\..*the budget is 40 thousand.*and that\?/s);
  expect(sent().filter(isSummary)).toEqual([]);

  for (const day of [1, 2, 3, 4, 5])
    write({ ...inThread, user: "bob", text: `<@U0BOB000001> day ${day}: ${"a long report ".repeat(30)}` });
  await answerTo(write({ ...inThread, user: "alice", text: "@Crosszone what is its name?" }), 60_000);
  const [summarized = "", answered = ""] = sent().slice(-2);
  expect(isSummary(summarized)).toBe(true);
  expect(summarized).toMatch(/The project is called Heron.*day 1/s);
  expect(answered).toContain("Bob chose the name Heron.");
  expect(answered).not.toContain("The project is called Heron");
  await slack.control.idle();
});
