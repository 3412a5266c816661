import { expect, test } from "vitest";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";
import { agentThat, task } from "../testing/start-zone.ts";

test("G1, G5: a question is answered by the model, which uses the built-in skills; its key is in no log", async () => {
  const mock = await startModel();
  mock.on(
    { userMessage: "17%", hasToolResult: true },
    { content: "It is **73.27**.", usage: { input_tokens: 300, output_tokens: 7 } },
  );
  mock.on({ userMessage: "17%" }, { toolCalls: [{ name: "builtin", arguments: { text: "17% of 431" } }] });
  const zone = await startWithModel(anthropic(mock));
  const answer = await zone.call("execute_task", task({ text: "What is 17% of 431?", user_id: "U1" }));
  expect(answer).toMatchObject({
    result: {
      status: "success",
      agent: "assistant",
      default_agent: true,
      response_text: "It is **73.27**.",
      usage: { model: "anthropic/claude-sonnet-4-6", input_tokens: expect.any(Number) as number },
    },
  });
  const sent = JSON.stringify(mock.getRequests().at(-1)?.body);
  expect(sent).toContain("73.27");
  expect(JSON.stringify(zone.log)).toContain('"model_used"');
  expect(JSON.stringify(zone.log)).not.toMatch(/planted-secret|17%/);
});

test("U1: answer and log show the usage of agents and workflows beside the zone's own; budgets ignore reports", async () => {
  const mock = await startModel();
  mock.on(
    { userMessage: "forecast", hasToolResult: true },
    { content: "Sunny.", usage: { input_tokens: 9, output_tokens: 1 } },
  );
  const toolCalls = ["weather", "travel", "plain"].map((name) => ({ name, arguments: { text: "Tokyo" } }));
  mock.on({ userMessage: "forecast" }, { toolCalls, usage: { input_tokens: 5, output_tokens: 2 } });
  const report = (agent: string, input_tokens: number) => ({
    agent,
    input_tokens,
    output_tokens: 1,
    cached_input_tokens: 0,
    cost: null,
  });
  const nothing = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost: 0 };
  const agents = [
    agentThat(
      async () => ({ response_text: "x", usage: { ...nothing, reported: [report("weather", 1_000_000)] } }),
      "weather",
    ),
    agentThat(
      async () => ({ response_text: "y", usage: { ...nothing, reported: [report("weather", 5), report("b", 7)] } }),
      "travel",
    ),
    agentThat(async () => ({ response_text: "z", usage: "a lot" }), "plain"),
  ];
  const zone = await startWithModel({ ...anthropic(mock), BUDGETS: "person/day=20000tokens" }, agents);
  const answer = await zone.call("execute_task", task({ text: "The forecast, please", user_id: "U1" }));
  const reported = [{ ...report("weather", 1_000_005), output_tokens: 2 }, report("b", 7)];
  expect(answer).toMatchObject({ result: { usage: { input_tokens: 14, output_tokens: 3, reported } } });
  const line = zone.log.find(({ event }) => event === "model_used");
  expect(line).toMatchObject({ model: "anthropic/claude-sonnet-4-6", input_tokens: 14, reported });
  const { result } = (await zone.call("get_usage", { user_id: "U1" })) as { result: unknown };
  expect(result).toMatchObject({ day: { calls: 2, input_tokens: 14, output_tokens: 3 }, budgets: [{ used: 17 }] });
});

test("U1, U3: a person gets their own usage over the zone link, and the metrics have tokens and cost", async () => {
  const mock = await startModel();
  mock.on({}, { content: "Hello.", usage: { input_tokens: 1_000, output_tokens: 2_000 } });
  const zone = await startWithModel({ ...anthropic(mock), BUDGETS: "person/day=0.08usd" });
  const ask = (user_id: string) => zone.call("execute_task", task({ user_id, team_id: "T1" }));
  await ask("U1");
  await ask("U2");
  const { result } = (await zone.call("get_usage", { user_id: "U1", team_id: "T1" })) as { result: unknown };
  const sum = { calls: 1, estimated_calls: 0, input_tokens: 1_000, output_tokens: 2_000, cost: 0.033 };
  expect(result).toMatchObject({ day: sum, month: sum, budgets: [{ scope: "person", used: 0.033, limit: 0.08 }] });
  expect(await ask("U1")).toMatchObject({ error: { data: { kind: "agent_failed" } } });
  const { body } = await zone.metrics.render();
  const model = 'model="anthropic/claude-sonnet-4-6"';
  for (const line of [
    `model_calls_total{${model},counted="yes"} 2`,
    `model_tokens_total{${model},kind="input"} 2000`,
    `model_tokens_total{${model},kind="output"} 4000`,
    `model_cost_dollars_total{${model}} 0.066`,
    'model_calls_refused_total{scope="person"} 1',
  ])
    expect(body).toContain(line);
  expect(await zone.call("get_usage", { team_id: "T1" })).toMatchObject({
    error: { data: { kind: "invalid_params" } },
  });
});

test.each(["openai/local", "anthropic/claude-of-tomorrow"])(
  "a budget in dollars for %s, which has no known price, stops the start",
  async (MODEL) => {
    const mock = await startModel();
    const server = MODEL.startsWith("openai") ? { OPENAI_BASE_URL: `${mock.url}/v1` } : anthropic(mock);
    const env = { ...server, MODEL, BUDGETS: "person/day=5usd" };
    await expect(startWithModel(env)).rejects.toMatchObject({ problems: [{ name: "BUDGETS" }] });
  },
);
