import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, onTestFinished, test } from "vitest";
import { tryModel } from "./calls/bounded-model.ts";
import type { AssistantError } from "./failure.ts";
import { chooseModel, isModelProblem, listModels } from "./models/model-choice.ts";
import { accessOf, type AccessSettings, openModel, type OpenModel } from "./models/open-model.ts";
import { askAssistant, sse, startModelServer, toolThat, wireModels, wireProviders } from "./testing/ask-assistant.ts";
import { type PausedState, TurnPaused } from "./turn/paused-turn.ts";

/** The questions. A recorded model has to know them. */
const liveQuestions = {
  stream: "Count from one to thirty in English words, separated by commas. Write nothing else.",
  tool: "Use the tool read_code_word, then tell me the code word that it gave you.",
} as const;

/** Known only to a tool of these cases. */
const codeWord = "heliotrope-4711";

/** The cases that every model has to pass, from any provider. `open` returns a model; each case is one question. */
function liveCases(open: () => Promise<OpenModel>): void {
  test("streams a text with the provider's token count", async () => {
    const model = await open();
    const { answer, shown, error } = await askAssistant(model, { question: { text: liveQuestions.stream } });
    expect(error).toBeUndefined();
    expect(answer?.text).toMatch(/one.*twenty.*thirty/is);
    expect(shown.join("")).toBe(answer?.text);
    expect(shown.length).toBeGreaterThan(1);
    expect(answer?.usage).toMatchObject({ model: model.name });
    expect(answer?.usage.estimated).toBeUndefined();
    expect(answer?.usage.input_tokens).toBeGreaterThan(50);
    expect(answer?.usage.output_tokens).toBeGreaterThan(10);
  });

  test.each([
    ["at once", undefined],
    ["after a pause", { canBeGiven: () => true }],
  ])("calls a tool %s and answers with its result in a second step", async (_when, approval) => {
    const run = async () => ({ text: `The code word is ${codeWord}.` });
    const readCodeWord = toolThat(run, {
      name: "read_code_word",
      description: "Reads the code word of today.",
      inputSchema: { type: "object", properties: {} },
      approval,
    });
    const question = { text: liveQuestions.tool, tools: [readCodeWord] };
    const asked = await askAssistant(await open(), { question });
    const state = asked.error instanceof TurnPaused && (JSON.parse(JSON.stringify(asked.error.state)) as PausedState);
    expect(state === false).toBe(approval === undefined);
    const resumed = state && { state, permit: async () => "run" as const };
    const { answer, steps, error } = resumed ? await askAssistant(await open(), { question, resumed }) : asked;
    expect(error).toBeUndefined();
    expect(answer?.text).toContain(codeWord);
    expect(steps.at(-1)).toMatchObject([{ state: "succeeded" }]);
  });

  test("stops when the question is stopped, and counts the usage so far", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled by the person");
    const { error, shown, usage } = await askAssistant(await open(), {
      question: { text: liveQuestions.stream },
      signal: controller.signal,
      onText: () => controller.abort(reason),
    });
    expect(error).toBe(reason);
    expect(shown.join("")).not.toMatch(/thirty/i);
    expect(usage).toMatchObject([{ estimated: true }]);
    expect(usage[0]?.input_tokens).toBeGreaterThan(50);
  });
}

/** Sends three short questions to the model of the environment, which may cost a cent. */
const isLive = process.env["LIVE_MODEL_TEST"] === "1";

async function openConfigured(): Promise<OpenModel> {
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  const settings = Object.fromEntries(set) as AccessSettings;
  const choice = chooseModel(settings);
  if (choice === undefined)
    throw new Error("LIVE_MODEL_TEST=1 needs a model: set MODEL and a key, or OPENAI_BASE_URL (docs/models.md)");
  if (isModelProblem(choice)) throw new Error(`${choice.name} ${choice.wrong}. Expected: ${choice.expected}.`);
  if (choice.id === undefined) throw new Error("LIVE_MODEL_TEST=1 needs MODEL=openai/<id> with OPENAI_BASE_URL");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, settings));
}

const fixtures = resolve(import.meta.dirname, "../../../examples/models/demo.json");

describe.skipIf(!isLive)("the configured model, skipped unless LIVE_MODEL_TEST=1", () => {
  liveCases(openConfigured);
});

// The cases of LIVE_MODEL_TEST=1, which rarely runs, on the recorded model of `pnpm demo:model`.
describe.each(wireProviders)("%s", (provider) => {
  liveCases(async () => {
    const mock = await LLMock.create({ port: 0, chunkSize: 8, latency: 2 });
    onTestFinished(() => mock.stop());
    mock.loadFixtureFile(fixtures);
    return wireModels[provider](mock.url);
  });
});

async function startMock(): Promise<LLMock> {
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  return mock;
}

describe.each(wireProviders)("%s", (provider) => {
  test("accepts an image, a PDF, a table and a thread", async () => {
    const mock = await startMock();
    mock.on({ userMessage: "" }, { content: "Seen." });
    const bytes = new Uint8Array([137, 80, 78, 71]);
    const file = (name: string, mediaType: string) => ({ name, mediaType, read: async () => bytes });
    const table = { ...file("a.csv", "text/csv"), read: async () => new TextEncoder().encode("planted,table") };
    const files = [file("a.png", "image/png"), file("a.pdf", "application/pdf"), table];
    const thread = [
      { text: "Before", bot: true },
      { text: "Other words", user: "U2" },
    ];
    const { answer, error } = await askAssistant(await wireModels[provider](mock.url), { question: { files, thread } });
    expect(error).toBeUndefined();
    expect(answer?.text).toBe("Seen.");
    expect(JSON.stringify(mock.getRequests()[0]?.body)).toMatch(/Other words.*planted,table/);
  });

  test.each([
    [401, "invalid_key", 1],
    [404, "unknown_model", 1],
    [429, "overloaded", 2],
    [500, "unavailable", 2],
    [529, "overloaded", 2],
  ])("HTTP %i is %s", async (status, reason, requests) => {
    const mock = await startMock();
    mock.on({ userMessage: "Hello" }, { error: { message: 'It said "Hello" here.', type: "some_error" }, status });
    const { error, retries } = await askAssistant(await wireModels[provider](mock.url), { limits: { attempts: 2 } });
    expect(error).toMatchObject({ reason });
    const { detail } = error as AssistantError;
    expect(detail).toMatch(
      new RegExp(`\\(status ${status}\\b.*\\): It said "" here., ${requests} attempts?, no tokens$`),
    );
    expect(mock.getRequests()).toHaveLength(requests);
    expect(JSON.stringify([String(error), detail, retries])).not.toMatch(/Hello|planted/);
  });

  test("is tested with one short call", async () => {
    const mock = await startMock();
    mock.on({ userMessage: "ok" }, { content: "ok" });
    expect(await tryModel(await wireModels[provider](mock.url))).toBeUndefined();
    expect(await tryModel(await wireModels[provider]("http://127.0.0.1:9"))).toMatchObject({ reason: "unreachable" });
  });
});

test("usage is the provider's count, in each of two calls", async () => {
  const mock = await startMock();
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  mock.on({ userMessage: "Hello", hasToolResult: true }, { content: "ok", usage });
  mock.on({ userMessage: "Hello" }, { toolCalls: [{ name: "lookup", arguments: {} }], usage });
  const tools = [toolThat(async () => ({ text: "1" }))];
  const { answer } = await askAssistant(await wireModels.anthropic(mock.url), { question: { tools } });
  expect(answer?.usage).toEqual({
    model: "anthropic/claude-sonnet-4-6",
    input_tokens: 2_000,
    output_tokens: 200,
    cached_input_tokens: 0,
    cost: 0.009,
  });
});

test("a server with an OpenAI-compatible API is asked for token counts, and its models have no price", async () => {
  const mock = await startMock();
  mock.on({ userMessage: "Hello" }, { content: "ok" });
  const { answer } = await askAssistant(await wireModels["openai-compatible"](mock.url));
  expect(JSON.stringify(mock.getRequests()[0]?.body)).toContain('"include_usage":true');
  expect(answer?.usage).toMatchObject({ model: "openai-compatible/qwen3:8b", cost: null });
  expect(answer?.usage.estimated).toBeUndefined();
});

test.each([
  [
    "max_tokens",
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    ["max_completion_tokens"],
  ],
  ["max_tokens", "max_tokens is too large: 4096. This model supports at most 1024.", []],
  ["stream_options", "Unrecognized request argument supplied: stream_options", []],
  ["tools", "qwen3:8b does not support tools", []],
  ["tool_choice", "`tool_choice` is not supported with this model", []],
  ["stream", "Streaming is not supported by this model.", []],
])("J5: %s is refused once: %s", async (name, message, instead) => {
  const { url, requests } = await startModelServer(({ body }) => {
    const choices = [{ message: { content: "ok" }, delta: { content: "ok" }, finish_reason: "stop" }];
    return name in body ? { status: 400, body: JSON.stringify({ error: { message } }) } : { body: sse({ choices }) };
  });
  const model = await wireModels["openai-compatible"](url);
  const asked = [await askAssistant(model), await askAssistant(model)];
  expect(asked.map(({ answer }) => answer?.text)).toEqual(["ok", "ok"]);
  expect(asked.map(({ retries }) => retries.length)).toEqual([1, 0]);
  expect(asked[0]?.retries[0]).toContain(message);
  const [first = {}, ...others] = requests.map(({ body }) => body);
  const together = { tools: ["tool_choice"], stream: ["stream_options"] }[name] ?? [];
  const dependent = [name, ...together];
  const kept = Object.keys(first).filter((key) => !dependent.includes(key));
  for (const body of others) expect(Object.keys(body).toSorted()).toEqual([...kept, ...instead].toSorted());
  expect(others).toHaveLength(2);
  expect(await tryModel(model)).toBeUndefined();
});

test.each(["openai-compatible", "anthropic", "openai"] as const)(
  "J46: the query of a base URL of %s follows the path",
  async (provider) => {
    const { url, requests } = await startModelServer(() => ({ status: 404, body: "{}" }));
    const model = await openModel(provider, "m", { apiKey: "planted-key", baseUrl: `${url}/v1/?api-version=preview` });
    await askAssistant(model, { limits: { attempts: 1 } });
    expect(requests.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/v1\/(?:chat\/completions|messages|responses)\?api-version=preview$/),
    ]);
  },
);

test("a server with an OpenAI-compatible API lists its models", async () => {
  const mock = await startMock();
  mock.on({ userMessage: "x", model: "qwen3:8b" }, { content: "x" });
  expect(await listModels(`${mock.url}/v1/`, undefined)).toContain("qwen3:8b");
  expect(await listModels(`${mock.url}/v1?api-version=preview`, undefined)).toContain("qwen3:8b");
  await expect(listModels(`${mock.url}/nowhere`, "key")).rejects.toThrow("it answered HTTP 404");
});
