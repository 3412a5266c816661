import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWithAgents } from "../harness/start-with-agents.ts";

vi.setConfig({ testTimeout: 120_000 });

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
  expect(sent().at(-1)).toMatch(/Message of another person, U0BOB000001\]\\nThe project is called Heron\./);

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
