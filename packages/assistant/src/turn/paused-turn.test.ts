import { describe, expect, test } from "vitest";
import type { AssistantTool, ToolResult } from "../tools/assistant-tool.ts";
import {
  askAssistant,
  type AskOptions,
  call,
  finish,
  scriptedModel,
  text,
  toolThat,
} from "../testing/ask-assistant.ts";
import type { PendingCall } from "../tools/turn-state.ts";
import { type PausedState, type Permit, TurnPaused } from "./paused-turn.ts";

const anyone = { canBeGiven: () => true };

/** A tool that needs an approval, and the inputs that it ran with. */
function approvedTool(name: string, members: Partial<AssistantTool> = {}) {
  const runs: unknown[] = [];
  const run = async (input: unknown): Promise<ToolResult> => (runs.push(input), { text: `${name} done` });
  return { runs, tool: toolThat(run, { name, title: `Ask ${name}`, sideEffects: true, approval: anyone, ...members }) };
}

/** Returns the state of a paused turn as another process reads it. */
function stateOf({ error }: { readonly error?: unknown }): PausedState {
  if (!(error instanceof TurnPaused)) throw new Error(`not paused: ${String(error)}`);
  return JSON.parse(JSON.stringify(error.state)) as PausedState;
}

type Judge = (call: PendingCall) => Permit;

const resume = (
  model: Parameters<typeof askAssistant>[0],
  state: PausedState,
  { judge, ...options }: AskOptions & { readonly judge: Judge },
) => askAssistant(model, { ...options, resumed: { state, permit: async (pending) => judge(pending) } });

/** A model that calls `publish` once. */
const oneCall = () => scriptedModel([call("publish", {}), finish("tool-calls")], [...text("ok"), finish()]);

/** The results that the model got in its last call. */
const lastResults = (model: ReturnType<typeof scriptedModel>): string =>
  JSON.stringify(model.calls.at(-1)?.prompt.filter(({ role }) => role === "tool"));

describe("a call that needs an approval", () => {
  test("runs once, with the arguments that were shown, and the model is not asked again", async () => {
    const { runs, tool } = approvedTool("publish");
    const read = toolThat(async () => ({ text: "a page" }), { trusted: true });
    const input = { text: "v1", to: ["x"] };
    const model = scriptedModel(
      [...text("I'll publish it."), call("lookup", {}), call("publish", input), finish("tool-calls")],
      [...text("Published."), finish()],
    );
    const question = { tools: [tool, read] };
    const paused = await askAssistant(model, { question });
    const state = stateOf(paused);
    expect(runs).toEqual([]);
    expect(state.pending).toMatchObject([{ tool: "publish", title: "Ask publish", input }]);
    expect(paused.steps.at(-1)).toContainEqual(
      expect.objectContaining({ title: "Ask publish: waits for approval", state: "pending" }),
    );
    const judged: string[] = [];
    const judge: Judge = ({ key }) => (judged.push(key), "run");
    const { answer, shown, steps, usage } = await resume(model, state, { judge, question });
    expect(judged).toEqual([state.pending[0]?.key]);
    expect(runs).toEqual([input]);
    expect(model.calls).toHaveLength(2);
    expect(lastResults(model)).toMatch(/a page.*publish done/);
    expect(lastResults(model).match(/"tool-result"/g)).toHaveLength(2);
    expect(answer?.text).toBe("I'll publish it.\n\nPublished.");
    expect(shown.join("")).toBe(answer?.text);
    expect(steps.at(-1)?.map(({ state: of }) => of)).toEqual(["succeeded", "succeeded"]);
    expect([usage[0]?.input_tokens, answer?.usage.input_tokens]).toEqual([10, 20]);
  });

  test("waits with the others of its step: one is denied, one runs, one waits on", async () => {
    const tools = ["a", "b", "c"].map((name) => approvedTool(name));
    const question = { tools: tools.map(({ tool }) => tool) };
    const model = scriptedModel(
      [call("a", { n: 1 }), call("b", { n: 2 }), call("c", { n: 3 }), finish("tool-calls")],
      [...text("ok"), finish()],
    );
    const first = stateOf(await askAssistant(model, { question }));
    expect(first.pending.map(({ tool }) => tool)).toEqual(["a", "b", "c"]);
    const judge: Judge = ({ tool }) => (tool === "a" ? { instead: "U2 denied it" } : tool === "b" ? "run" : "wait");
    const second = stateOf(await resume(model, first, { judge, question }));
    expect(model.calls).toHaveLength(1);
    expect(second.pending).toEqual([first.pending[2]]);
    const { answer } = await resume(model, second, { judge: () => "run", question });
    expect(answer?.text).toBe("ok");
    expect(tools.map(({ runs }) => runs)).toEqual([[], [{ n: 2 }], [{ n: 3 }]]);
    expect(lastResults(model)).toMatch(/U2 denied it.*b done.*c done/);
  });

  test("of a tool that is gone, or that nobody can approve, is not run", async () => {
    const { runs, tool } = approvedTool("publish");
    const model = oneCall();
    const state = stateOf(await askAssistant(model, { question: { tools: [tool] } }));
    const judge: Judge = () => expect.unreachable("an approval is used");
    await resume(model, state, { judge, question: { tools: [] } });
    expect(lastResults(model)).toContain("not available now");
    const nobody = { ...tool, approval: { canBeGiven: () => false } };
    const again = oneCall();
    await askAssistant(again, { question: { tools: [nobody] } });
    expect(lastResults(again)).toContain("no eligible approver");
    expect(runs).toEqual([]);
  });
});

describe("a paused turn", () => {
  test("keeps its files, the numbers of its calls and its limit of steps", async () => {
    const numbers: number[] = [];
    const run: AssistantTool["run"] = async (_input, { number }) => (numbers.push(number), { text: "ok" });
    const tool = toolThat(run, { name: "publish", sideEffects: true, approval: anyone });
    const question = { tools: [tool] };
    const file = call("make_file", { name: "a.csv", content: "é" });
    const model = scriptedModel(
      [file, call("publish", {}), call("publish", {}), finish("tool-calls")],
      [call("publish", {}), finish("tool-calls")],
      [...text("ok"), finish()],
    );
    const limits = { steps: 3, concurrency: 1 };
    const first = stateOf(await askAssistant(model, { question, limits }));
    const second = stateOf(await resume(model, first, { judge: () => "run", question, limits }));
    const { answer } = await resume(model, second, { judge: () => "run", question, limits });
    expect(numbers).toEqual([1, 2, 3]);
    expect(new Set([...first.pending, ...second.pending].map(({ key }) => key)).size).toBe(3);
    expect(answer?.files.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(["é"]);
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(["auto", "auto", "none"]);
    const spent = await resume(model, { ...second, modelCalls: 3 }, { judge: () => "run", question, limits });
    expect(spent.error).toMatchObject({ reason: "step_limit" });
    expect(model.calls).toHaveLength(3);
  });

  test("reads the question's files again and stores none of them", async () => {
    const { tool } = approvedTool("publish");
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
    const file = { name: "x.png", mediaType: "image/png", read: async () => bytes };
    const model = oneCall();
    const question = { tools: [tool], files: [file], thread: [{ text: "planted", user: "U2" }] };
    const state = stateOf(await askAssistant(model, { question }));
    expect(JSON.stringify(state)).not.toContain("x.png");
    expect(state).toMatchObject({ isTainted: true, sources: ["U2"] });
    await resume(model, state, { judge: () => "run", question });
    const [first, second] = model.calls.map(({ prompt }) => prompt.filter(({ role }) => role === "user"));
    expect(second).toEqual(first);
  });

  test("ends with a call that waits itself, and runs the call again with its continuation", async () => {
    const got: unknown[] = [];
    const tool = toolThat(async (_input, { continuation, number }) => {
      got.push([continuation, number]);
      if (continuation === undefined) return { text: "", waits: { awaited: ["an id"], continuation: { at: 1 } } };
      return { text: "decided" };
    });
    const model = scriptedModel([call("lookup", {}), finish("tool-calls")], [...text("ok"), finish()]);
    const paused = await askAssistant(model, { question: { tools: [tool] } });
    expect(paused.steps.at(-1)).toMatchObject([{ title: "Look up: waits for people", state: "pending" }]);
    const state = stateOf(paused);
    expect(state.pending[0]?.waits?.awaited).toEqual(["an id"]);
    const judge: Judge = () => expect.unreachable("it needs no approval");
    expect((await resume(model, state, { judge, question: { tools: [tool] } })).answer?.text).toBe("ok");
    expect(got).toEqual([
      [undefined, 1],
      [{ value: { at: 1 } }, 1],
    ]);
    expect(lastResults(model)).toContain("decided");
  });
});
