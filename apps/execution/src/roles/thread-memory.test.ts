import type { LLMock } from "@copilotkit/aimock";
import { expect, test } from "vitest";
import { task } from "../testing/start-zone.ts";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";

const usage = { input_tokens: 1_000, output_tokens: 100 };
const isSummary = (body: unknown): boolean => JSON.stringify(body).includes("You keep the memory");

/** Starts a model that returns `summary` for summaries and a fixed answer otherwise. */
async function startRemembering(summary = "U1 named the project Heron."): Promise<LLMock> {
  const mock = await startModel();
  mock.on({ predicate: ({ messages }) => isSummary(messages) }, { content: summary, usage });
  mock.on({}, { content: "Heron.", usage });
  return mock;
}

const bodies = (mock: LLMock): string[] => mock.getRequests().map(({ body }) => JSON.stringify(body));

/** Returns the messages before a question: the requester's, those of others, and the app's answers. */
const thread = (count: number) =>
  Array.from({ length: count }, (_unused, index) => ({
    ts: `${1_000 + index}.000100`,
    text: `Message ${index}: ${"words ".repeat(20)}`,
    ...[{ user: "U1" }, { user: "U2" }, { bot: true }][index % 3],
  }));

const question = (members: Record<string, unknown>) =>
  task({ text: "What is the project called?", user_id: "U1", team_id: "T1", context_id: "thread-1", ...members });

test("G6: messages between the app's turns reach the model, with their authors", async () => {
  const mock = await startRemembering();
  const { zone } = await startWithModel(anthropic(mock));
  await zone.call("execute_task", question({ thread: thread(6) }));
  const [sent = ""] = bodies(mock);
  expect(sent).toContain("[Message of another person, U2]\\nMessage 1: ");
  for (const { text } of thread(6)) expect(sent).toContain(text.trim());
});

test("G6: a long thread is summarized once, charged like every call, and the summary serves the next question", async () => {
  const mock = await startRemembering();
  const { zone, log, database } = await startWithModel({ ...anthropic(mock), MAX_MODEL_INPUT_TOKENS: "400" });
  const first = await zone.call("execute_task", question({ thread: thread(20) }), "1");
  expect(first).toMatchObject({
    result: { response_text: "Heron.", usage: { input_tokens: 2_000, output_tokens: 200 } },
  });
  const [summarized = "", answered = ""] = bodies(mock);
  expect(isSummary(summarized)).toBe(true);
  expect(answered).toContain("U1 named the project Heron.");
  await zone.call("execute_task", question({ thread: thread(40).toSpliced(1, 20) }), "2");
  const [, , extended = "", later = ""] = bodies(mock);
  expect(extended).toMatch(/earlier_summary.*U1 named the project Heron.*Message 21/);
  expect(later).toContain("U1 named the project Heron.");
  const calls = await database.db.selectFrom("model_call").select(["team", "person", "input_tokens"]).execute();
  expect(calls).toHaveLength(4);
  expect(new Set(calls.map(({ person, input_tokens }) => `${person} ${input_tokens}`))).toEqual(new Set(["U1 1000"]));
  expect(log.join("")).not.toMatch(/Heron|Message 1/);
});

test("G6: no other team and no other thread gets the summary, even with the same ids", async () => {
  const mock = await startRemembering();
  const { zone } = await startWithModel({ ...anthropic(mock), MAX_MODEL_INPUT_TOKENS: "400" });
  await zone.call("execute_task", question({ thread: thread(20) }), "1");
  const strangers = [{ team_id: "T2" }, { context_id: "thread-2" }, { team_id: undefined }];
  for (const [index, other] of strangers.entries())
    await zone.call("execute_task", question({ ...other, thread: thread(20) }), `other-${index}`);
  const asked = bodies(mock).slice(2);
  expect(asked.map(isSummary)).toEqual([true, false, true, false, false]);
  expect(asked.join("")).not.toContain('earlier_summary\\"');
  expect(asked.at(-1)).toMatch(/\d+ earlier messages are left out/);
});

test("when the summary fails the question is answered, and the log has the reason", async () => {
  const mock = await startModel();
  const error = { message: "planted words", type: "overloaded_error" };
  mock.on({ predicate: ({ messages }) => isSummary(messages) }, { error, status: 529 });
  mock.on({}, { content: "I don't know.", usage });
  const { zone, log } = await startWithModel({ ...anthropic(mock), MAX_MODEL_INPUT_TOKENS: "400" });
  const answer = await zone.call("execute_task", question({ thread: thread(20) }));
  expect(answer).toMatchObject({ result: { response_text: "I don't know." } });
  expect(log.join("")).toMatch(/"summary_failed".*overloaded/);
  expect(log.join("")).not.toContain("planted words");
});
