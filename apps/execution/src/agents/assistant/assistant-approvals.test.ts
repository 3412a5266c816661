import type { InputRequest } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { voter } from "../../testing/new-input.ts";
import { anthropic, startModel, startWithModel } from "../../testing/start-with-model.ts";
import { agentThat, task } from "../../testing/start-zone.ts";
import type { Agent } from "../agent.ts";

test("people approve one call of the model's step and deny the other: only the approved one runs, as it was shown", async () => {
  const mock = await startModel();
  const calls = ["v1", "v2"].map((text) => ({ name: "publisher", arguments: { text } }));
  mock.on({ userMessage: "publish", hasToolResult: true }, { content: "One is out." });
  mock.on({ userMessage: "publish" }, { content: "I'll publish both.", toolCalls: calls });
  const published: string[] = [];
  const publisher: Agent = {
    ...agentThat(async ({ text }) => (published.push(text), { response_text: `${text} is out` }), "publisher"),
    describe: async () => ({ sideEffects: true }),
  };
  const zone = await startWithModel(anthropic(mock), [publisher]);
  const { result } = (await zone.call("execute_task", task({ text: "publish it", user_id: "U1" }))) as {
    result: { task_id: string; input_requests: InputRequest[] };
  };
  expect(result).toMatchObject({
    status: "input_required",
    text: "I'll publish both.",
    input_requests: calls.map(({ arguments: args }) => ({ action: { tool: "publisher", arguments: args } })),
  });
  expect(published).toEqual([]);
  const { task_id, input_requests: asked } = result;
  const answer = (index: number, verdict: object) => {
    const { request_id, action } = asked[index] as InputRequest;
    const by = { ...voter("U1"), team_id: undefined };
    return zone.call("answer_input", { request_id, answer: verdict, by, digest: action?.digest });
  };
  expect(await answer(0, { verdict: "deny", reason: "v1 has a typo" })).toMatchObject({
    result: { outcome: "decided" },
  });
  expect(await answer(1, { verdict: "approve" })).toMatchObject({ result: { outcome: "decided" } });
  await expect
    .poll(() => zone.call("get_async_task_result", { task_id, wait_ms: 500 }))
    .toMatchObject({ result: { status: "success", response_text: "I'll publish both.\n\nOne is out." } });
  expect(published).toEqual(["v2"]);
  expect(mock.getRequests()).toHaveLength(2);
  const sent = JSON.stringify(mock.getRequests().at(-1)?.body);
  expect(sent).toMatch(/U1 denied it at .*v1 has a typo.*v2 is out/);
  const after = await zone.call("list_input_requests", { task_id });
  expect(after).toMatchObject({ result: { input_requests: [{ state: "denied" }, { state: "used" }] } });
});

test.each([
  [["assistant"], []],
  [["assistant", "helper"], ["helper"]],
  [
    ["assistant", "helper", "flow"],
    ["helper", "flow"],
  ],
  [["*"], ["helper", "flow", "evil"]],
])("X4: a program that may ask %j calls through the assistant only what it may ask", async (agents, expected) => {
  const mock = await startModel();
  const names = ["helper", "flow", "evil"];
  const toolCalls = names.map((name) => ({ name, arguments: { text: "go" } }));
  mock.on({ userMessage: "go", hasToolResult: true }, { content: "Done." });
  mock.on({ userMessage: "go" }, { toolCalls });
  const ran: string[] = [];
  const others = names.map((name): Agent => {
    const agent = agentThat(async () => (ran.push(name), { response_text: "ok" }), name);
    return { ...agent, kind: name === "flow" ? "workflow" : "agent" };
  });
  const zone = await startWithModel(anthropic(mock), others);
  const asker = { actor: "token:ci", agents, openTasks: 3 };
  const assistant = zone.agents.all.find(({ name }) => name === "assistant") as Agent;
  const message = { messageId: "m", parts: [{ text: "go" }] };
  const by = { asker, surface: "mcp", correlationId: "c1" } as const;
  const ended = await zone.app.ask.askAndWait(by, { agent: assistant, message, key: "k" }, { waitMs: 20_000 });
  expect(ended).toMatchObject({ state: "success", text: "Done." });
  expect(ran.toSorted()).toEqual(expected.toSorted());
  const offered = JSON.stringify((mock.getRequests()[0]?.body as { tools?: unknown } | undefined)?.tools);
  for (const name of names) expect(offered.includes(`"${name}"`)).toBe(expected.includes(name));
});
