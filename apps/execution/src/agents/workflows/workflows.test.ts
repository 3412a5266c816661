import type { ErrorKind, FailedRun, RunProblem, RunState, WorkflowRun } from "@crosszone/contracts";
import { newRun } from "@crosszone/workflow";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeMisfit, findJsonError, workflowInput } from "./describe-misfit.ts";
import { runFailure } from "./task-runs.ts";

const properties = {
  topic: { type: "string", examples: ["cats"] },
  count: { type: "integer" },
  tone: { title: "Tone of voice", enum: ["dry", "warm"] },
  "a/b": true,
};

const missing = [{ pointer: "/topic", message: "is missing" }];

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const path = "each[3].ask";

const ask = { id: "ask", type: "agent", title: "Ask A", agent_name: "A", input_mapping: {} } as const;

const definition = { workflow_id: "publish", name: "Publish", version: "1", start_step: "ask", steps: { ask } };

const limits = { deadline_ms: 1_000, step_timeout_ms: 1_000, max_running: 1, max_bytes: 1_000 };

const record = newRun({ run_id: "r", limits, at: 0, input: {} });

function failureOf(state: RunState, error?: RunProblem) {
  const step = { path, step_id: "ask", type: "agent", title: "Ask A", state: "failed", attempt: 1, agent_name: "A" };
  const run = { workflow_id: "publish", revision: 7, definition, state, steps: [step], error };
  const steps = new Map([["ask", { state: "failed" as const, attempt: 1 }]]);
  return runFailure({ run: run as unknown as WorkflowRun, record: { ...record, state, steps } });
}

const agentError = (kind: NonNullable<RunProblem["agent_error"]>["kind"]): RunProblem => ({
  kind: "agent_failed",
  message: "it said no",
  path,
  agent_error: { kind, message: "it said no", retryable: false },
});

const late = { message: "late" };

const no = { message: "no" };

const came = {
  thread: [{ text: "before", user: "U1" }],
  attachments: [{ id: "F1", name: "a.txt", url: "https://files.example/F1" }],
};

const schemaOf = (...names: string[]) => ({
  input_schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) },
});

describe("an input that does not fit", () => {
  test("each problem names its member and includes a valid example", () => {
    const workflow = {
      workflow_id: "publish",
      input_schema: { type: "object", properties, required: ["topic", "tone"] },
    };
    const problems = [
      ...missing,
      { pointer: "/a~1b/0", message: "must be string" },
      { pointer: "/tone", message: "is missing" },
      { pointer: "", message: "is odd" },
    ];
    expect(describeMisfit(workflow, "about cats", problems)).toBe(
      [
        "The workflow `publish` can't start with this input:",
        "- `topic` is missing\n- `a/b.0` must be string\n- `Tone of voice` (`tone`) is missing\n- the input is odd",
        'It expects a JSON object such as this one:\n```json\n{\n  "topic": "cats",\n  "tone": "dry"\n}\n```',
      ].join("\n\n"),
    );
  });

  test("a schema without required members is shown with all its members, an empty schema without any", () => {
    const all = describeMisfit({ workflow_id: "w", input_schema: { properties } }, "x", missing);
    expect(all).toContain('"topic": "cats",\n  "count": 1,\n  "tone": "dry",\n  "a/b": "…"');
    expect(describeMisfit({ workflow_id: "w" }, "x", missing)).not.toContain("It takes");
  });

  test("text that starts like JSON but is invalid is reported with the position of the error", () => {
    const told = describeMisfit({ workflow_id: "w" }, '```{"topic": cats}```', missing);
    expect(told).toContain(
      "looks like JSON but isn't valid: `cats` must be in double quotes, or be `true`, `false` or `null`, at character 11.",
    );
    expect(describeMisfit({ workflow_id: "w" }, "{“topic”: cats}", missing)).toContain("at character 11.");
  });
});

describe("findJsonError", () => {
  const almostJson = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .array(fc.constantFrom(..."{}[],: \n\\'\u00a0".split(""), '"a"', "1", "-0.5e3", "true", "null", "01"))
      .map((parts) => parts.join("")),
    fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1)),
  );

  test("finds an error exactly if JSON.parse does", () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const error = findJsonError(text);
        expect(error === undefined).toBe(parses(text));
        expect(error?.offset ?? 0).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test("the text before the error is a prefix of valid JSON", () => {
    expect(findJsonError('{"a":1,,}')?.offset).toBe(7);
    expect(findJsonError("[1 2]")?.offset).toBe(3);
    expect(findJsonError("")?.offset).toBe(0);
    expect(findJsonError('"a\nb"')?.offset).toBe(2);
  });

  test.each([
    ['{"a": 1,}', 8, "remove the comma before the closing bracket"],
    ["{'a': 1}", 1, "JSON needs double quotes"],
    ['{"a": “b”}', 6, "curly quote"],
    ['{"a" 1}', 5, "a `:` is missing"],
    ['{"a": tru}', 6, "`tru` must be in double quotes"],
    ['{"a":\n  [1,\n 2 3]}', 15, "a comma"],
    ['{"a": [1', 8, "2 `{` or `[` are not closed"],
    ['{"a": "x', 8, "a closing double quote is missing"],
    ['{"a": "\\q"}', 7, "this escape does not exist"],
    ['{"a": 1} // note', 9, "continues after the end"],
    ["[1, // one\n2]", 4, "no comments"],
    ["[1, 2}", 5, "`}` closes nothing"],
  ])("locates the error and says what to do: %s", (text, offset, sentence) => {
    expect(findJsonError(text)).toEqual({ offset, problem: expect.stringContaining(sentence) as string });
  });
});

describe("run failure", () => {
  test.each<[string, RunState, RunProblem | undefined, { kind: ErrorKind; agent: string }]>([
    ["its deadline passed", "timed_out", { ...late, kind: "run_timed_out" }, { kind: "timeout", agent: "publish" }],
    ["it was canceled", "canceled", undefined, { kind: "canceled", agent: "publish" }],
    ["an agent is unavailable", "failed", agentError("unreachable"), { kind: "agent_unavailable", agent: "A" }],
    ["an agent refuses", "failed", agentError("task_failed"), { kind: "agent_failed", agent: "A" }],
    ["an agent takes too long", "failed", agentError("call_timeout"), { kind: "timeout", agent: "A" }],
    // The person requested a workflow, which exists.
    ["an agent is unknown", "failed", agentError("unknown_agent"), { kind: "agent_unavailable", agent: "A" }],
    ["no details are known", "failed", { ...no, kind: "agent_failed", path }, { kind: "agent_failed", agent: "A" }],
    ["a step timed out", "failed", { ...late, kind: "step_timed_out", path }, { kind: "timeout", agent: "A" }],
    [
      "a mapping fails",
      "failed",
      { ...no, kind: "mapping_failed", path: "x" },
      { kind: "agent_failed", agent: "publish" },
    ],
    ["a fork fails", "failed", { ...no, kind: "join_failed", path: "x" }, { kind: "agent_failed", agent: "publish" }],
    ["the error is internal", "failed", { ...no, kind: "internal" }, { kind: "internal", agent: "publish" }],
    ["the reason is unknown", "failed", undefined, { kind: "internal", agent: "publish" }],
  ])("the error of a run when %s", (_, ...[state, error, { kind, agent }]) => {
    expect(failureOf(state, error)).toMatchObject({ kind, data: { agent } });
  });

  test.each<[string, RunState, RunProblem | undefined, FailedRun]>([
    [
      "the step and why",
      "failed",
      agentError("task_failed"),
      { workflow: "publish", step: "Ask A", reason: "agent_failed" },
    ],
    [
      "no step when none failed",
      "failed",
      { ...no, kind: "mapping_failed" },
      { workflow: "publish", reason: "mapping_failed" },
    ],
    ["that it was stopped", "canceled", undefined, { workflow: "publish", reason: "canceled" }],
    [
      "that its deadline passed",
      "timed_out",
      { ...late, kind: "run_timed_out" },
      { workflow: "publish", reason: "run_timed_out" },
    ],
  ])("a run that did not succeed reports %s, and how far it got", (_, ...[state, error, failed_run]) => {
    const { data } = failureOf(state, error);
    expect(data.failed_run).toEqual(failed_run);
    expect(data.progress).toEqual({
      revision: 7,
      steps: [{ id: "ask", title: "Ask A", uses: "A", state: "failed", depth: 0 }],
    });
  });

  test("its error texts are only logged", () => {
    const failure = failureOf("failed", agentError("task_failed"));
    expect(JSON.stringify([failure.message, failure.data])).not.toContain("it said no");
    expect(failure.cause).toMatchObject({ message: 'the step "each[3].ask" (agent_failed): it said no' });
  });
});

describe("workflow input", () => {
  test.each([
    ["plain words", "write about cats", { text: "write about cats" }],
    ["nothing, with only files", "", { text: "" }],
    ["a JSON object", ' {"topic": "cats"} ', { topic: "cats" }],
    ["one in a code block", '```json\n{"topic": "cats"}\n```', { topic: "cats" }],
    ["one in a bare code block", '```{"topic": "cats"}```', { topic: "cats" }],
    ["one with curly quotes", "{“topic”: “cats”, „n‟: 1}", { topic: "cats", n: 1 }],
    ["one with no-break spaces and quotes in strings", '{\u00A0\u00A0"topic": "“cats”"}', { topic: "“cats”" }],
    ["one with no-break spaces in strings", '{"topic": "a\u00A0cat"}', { topic: "a\u00A0cat" }],
  ])("%s", (_, text, input) => {
    expect(workflowInput({ ...came, text }, {})).toEqual(input);
  });

  test.each([
    '["cats"]',
    '"cats"',
    "7",
    "null",
    "{topic: cats}",
    '{"a":1} and more',
    '```{"a":1}``` and ```{"b":1}```',
  ])("%s is text, not the input itself", (text) => {
    expect(workflowInput({ ...came, text }, {})).toEqual({ text });
  });

  const where = { type: "string" };
  const date = { ...where, format: "date" };

  test.each([
    ["the only required text", { where, date }, ["where", "date"], { where: "Rome" }],
    ["the first of two", { to: where, from: where }, ["from", "to"], { from: "Rome" }],
    ["`text` where it is named", { where, text: { type: "string" } }, ["where"], { text: "Rome" }],
    ["`text` where the required one has choices", { where: { ...where, enum: ["Oslo"] } }, ["where"], { text: "Rome" }],
    ["`text` where nothing is required", { where }, [], { text: "Rome" }],
  ])("Q25: words are %s", (...[, members, required, input]) => {
    const input_schema = { type: "object", properties: members, required };
    expect(workflowInput({ ...came, text: "Rome" }, { input_schema })).toEqual(input);
    expect(workflowInput({ ...came, text: " " }, { input_schema })).toEqual({ text: " " });
  });

  test("a member named like an object prototype's member is like any other", () => {
    const input = workflowInput({ ...came, text: '{"__proto__": {"thread": 1}}' }, schemaOf("toString"));
    expect(JSON.stringify(input)).toBe('{"__proto__":{"thread":1}}');
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  test("thread and files are passed where the schema declares them, without author and handle", () => {
    const text = "hi";
    expect(workflowInput({ ...came, text }, schemaOf("text"))).toEqual({ text });
    expect(workflowInput({ ...came, text }, schemaOf("thread", "attachments"))).toEqual({
      text,
      thread: [{ text: "before" }],
      attachments: [{ name: "a.txt" }],
    });
    expect(workflowInput({ text, thread: [], attachments: [] }, schemaOf("thread"))).toEqual({ text, thread: [] });
    expect(workflowInput({ ...came, text: '{"thread": "mine"}' }, schemaOf("thread"))).toEqual({ thread: "mine" });
  });

  test("JSON whose values can't be kept, or that is nested in more than 64 levels, starts no run", () => {
    const read = (text: string) => () => workflowInput({ ...came, text }, {});
    expect(read('{"size": [1e999]}')).toThrow("/size/0 is 1e999, which would become null: send it as text");
    expect(read('```{"a": 1, "a": 2}```')).toThrow("/a is there twice");
    expect(read('{"size": [1e99]}')()).toEqual({ size: [1e99] });
    const nested = (levels: number) => read(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    expect(nested(64)).not.toThrow();
    for (const levels of [65, 100_000]) expect(nested(levels)).toThrow("is nested in more than 64 levels");
  });
});
