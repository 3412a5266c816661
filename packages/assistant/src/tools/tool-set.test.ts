import { createTracer } from "@crosszone/service-kit/tracing";
import { describe, expect, test } from "vitest";
import { askAssistant, call, finish, scriptedModel, text, toolThat } from "../testing/ask-assistant.ts";
import { instructionsFor } from "../turn/run-loop.ts";
import { type Spending, UsageMeter } from "../usage-meter.ts";
import { type AssistantTool, nameTools } from "./assistant-tool.ts";
import { withheldResult, toolSetOf } from "./tool-set.ts";
import { TurnState } from "./turn-state.ts";

/** The result that the model got for its first call. */
function resultIn(model: ReturnType<typeof scriptedModel>): string {
  return JSON.stringify(model.calls[1]?.prompt.findLast(({ role }) => role === "tool"));
}

describe("names", () => {
  test("are valid for every provider, unique, and independent of other tools", () => {
    const named = (...names: string[]) => [...nameTools(names.map((name) => ({ name }))).keys()];
    expect(named("proofreader", "make_file")).toEqual(["proofreader", "make_file"]);
    const odd = ["weather man", "weather-män", "天気", "7up", "weather.man", "x".repeat(65), "a.b"];
    const made = named(...odd);
    expect(new Set(made).size).toBe(odd.length);
    for (const name of made) expect(name).toMatch(/^[A-Za-z][\w-]{0,63}$/);
    expect(named("a.b")).toEqual([made.at(-1)]);
    expect(named("twice", "twice")).toEqual(["twice"]);
  });
});

test("a call of a withheld tool is refused with an explanation", async () => {
  const before = { isTainted: true, sources: [], modelCalls: 0, pending: [], steps: [], counts: [], files: [] };
  const state = new TurnState(before, () => undefined);
  state.withheld = new Set(["publish"]);
  const publish = toolThat(() => Promise.reject(new Error("not to be run")), { name: "publish", sideEffects: true });
  const turn = { start: createTracer().start, capturesContent: false, traceparent: undefined };
  const options = {
    state,
    signal: new AbortController().signal,
    turn,
    meter: new UsageMeter({ name: "scripted/m", id: "m", priced: false }, undefined, () => undefined),
    resultCharacters: 100,
    onFailure: () => expect.unreachable("it was run"),
  };
  const { publish: made } = toolSetOf(new Map([["publish", publish]]), options);
  const said: unknown = await made?.execute?.({}, { toolCallId: "1", messages: [], context: {} });
  expect(said).toMatch(/^Not called: "publish" changes something outside.*"ask publish: …"\.$/);
});

test("the person learns how to use a withheld tool: an agent by its name, an MCP tool in a new thread", () => {
  const run = () => Promise.reject(new Error("not to be run"));
  const [agent, tool] = [toolThat(run, { name: "publish" }), toolThat(run, { name: "wiki_send", onlyForModel: true })];
  expect(withheldResult(agent)).toMatch(/ask for it directly: "ask publish: …"\.$/);
  expect(withheldResult(tool)).toMatch(/ask for it in a new thread, in a message with only their own words\.$/);
  const told = (...withheld: AssistantTool[]) => instructionsFor(new Date(0), withheld);
  expect(told(agent)).not.toContain("new thread");
  expect(told(tool)).not.toContain("ask <name>");
  expect(told(agent, tool)).toMatch(/wants one of "wiki_send", .* new thread.* wants another, .* "ask <name>:/);
});

describe("a call", () => {
  test.each([
    ["succeeded", async () => ({ text: "Found." })],
    ["failed", async () => ({ text: "No.", failed: true })],
    ["failed", () => Promise.reject(new Error("down"))],
    ["asked", async () => ({ text: "", waits: { awaited: [], continuation: 1 } })],
    ["canceled", (stop: () => void) => Promise.reject(new Error("stopped")).finally(stop)],
  ] as const)("Q34: of a server's tool is recorded with its end: %s", async (outcome, run) => {
    const over = new AbortController();
    const served = { server: "wiki", tool: "look.up" };
    const tool = toolThat(() => run(() => over.abort()), { served });
    const own = toolThat(async () => ({ text: "Own." }), { name: "own" });
    const recorded: unknown[] = [];
    const spending: Spending = {
      reserve: async () => ({ recordUse: async () => undefined }),
      callTool: async (begun) => {
        recorded.push(begun);
        return async (end) => void recorded.push(end);
      },
    };
    const calls = [call("lookup", { secret: "planted" }), call("own", {}), finish("tool-calls")];
    const model = scriptedModel(calls, [...text("Done."), finish()]);
    await askAssistant(model, { question: { tools: [tool, own] }, spending, signal: over.signal });
    expect(recorded).toEqual([served, outcome]);
  });

  test("Q34: that can't be recorded is made, and reported", async () => {
    const model = scriptedModel([call("lookup", {}), finish("tool-calls")], [...text("Done."), finish()]);
    const tool = toolThat(async () => ({ text: "Found." }), { served: { server: "wiki", tool: "lookup" } });
    const spending: Spending = {
      reserve: async () => ({ recordUse: async () => undefined }),
      callTool: () => Promise.reject(new Error("no database")),
    };
    const { answer, retries } = await askAssistant(model, { question: { tools: [tool] }, spending });
    expect([answer?.text, resultIn(model), retries]).toEqual([
      "Done.",
      expect.stringContaining("Found."),
      ["Error: no database"],
    ]);
  });

  test("that throws gives the model a fixed text and logs the cause", async () => {
    const model = scriptedModel([call("lookup", {}), finish("tool-calls")], [...text("Sorry."), finish()]);
    const tool = toolThat(() => Promise.reject(new Error("db password=planted")));
    const { answer, failures, steps } = await askAssistant(model, { question: { tools: [tool] } });
    expect(answer?.text).toBe("Sorry.");
    expect(resultIn(model)).toContain("The tool failed.");
    expect(JSON.stringify([model.calls.map(({ prompt }) => prompt), answer, steps])).not.toContain("planted");
    expect(failures).toEqual(["lookup"]);
    expect(steps.at(-1)).toEqual([{ id: "1", title: "Look up", uses: "lookup", depth: 0, state: "failed" }]);
  });

  test("of an unknown tool, or with invalid JSON, does not end the turn", async () => {
    const broken = { type: "tool-call", toolCallId: "b", toolName: "lookup", input: "{" } as const;
    const model = scriptedModel([call("nothing", {}), broken, finish("tool-calls")], [...text("ok"), finish()]);
    expect(
      (await askAssistant(model, { question: { tools: [toolThat(async () => ({ text: "" }))] } })).answer?.text,
    ).toBe("ok");
  });

  test("J13, J31: with null as its arguments gets an empty object, and the model a schema that its provider accepts", async () => {
    const model = scriptedModel([call("lookup", null), finish("tool-calls")], [...text("ok"), finish()]);
    const got: unknown[] = [];
    const inputSchema = { type: "object", properties: { tags: { type: "array", description: null } } } as const;
    const tool = toolThat(async (given) => (got.push(given), { text: "found" }), { inputSchema });
    await askAssistant(model, { question: { tools: [tool] } });
    expect(got).toEqual([{}]);
    const sent = model.calls[0]?.tools?.find(({ name }) => name === "lookup");
    expect(sent).toMatchObject({ inputSchema: { type: "object", properties: { tags: { type: "array", items: {} } } } });
    expect(JSON.stringify(sent)).not.toContain("null");
  });

  test("of make_file attaches a file to the answer", async () => {
    const file = call("make_file", { name: "ages.csv", content: "a,b\n1,2" });
    const bad = call("make_file", { name: "", content: 1 });
    const model = scriptedModel([file, bad, finish("tool-calls")], [...text("Here."), finish()]);
    const { answer } = await askAssistant(model);
    expect(answer?.files).toEqual([
      { name: "ages.csv", mediaType: "text/csv", bytes: new TextEncoder().encode("a,b\n1,2") },
    ]);
    expect(resultIn(model)).toContain("Not written");
  });
});

test.each([
  ['{"amount":12345678901234567890}', "/amount is 12345678901234567890, which would become 12345678901234567000"],
  ['{"to":["a"],"amount":-0}', "/amount is -0, which would become 0"],
  ['{"to":"mine","to":"yours"}', "/to is there twice: keep one"],
])("O1, P6: people approved, and a tool got, other arguments than the model wrote: %s", async (input, words) => {
  const got: unknown[] = [];
  const pay = toolThat(async (given) => (got.push(given), { text: "paid" }), {
    name: "pay",
    approval: { canBeGiven: () => true },
  });
  const spend = toolThat(async (given) => (got.push(given), { text: "spent" }), { name: "spend" });
  const calls = ["pay", "spend"].map(
    (toolName) => ({ type: "tool-call", toolCallId: toolName, toolName, input }) as const,
  );
  const model = scriptedModel([...calls, finish("tool-calls")], [...text("Sorry."), finish()]);
  const { answer } = await askAssistant(model, { question: { tools: [pay, spend] } });
  expect(got).toEqual([]);
  expect(answer).toMatchObject({ text: "Sorry." });
  expect(resultIn(model).split(`Not called: the arguments can't be kept as sent: ${words}`)).toHaveLength(3);
});
