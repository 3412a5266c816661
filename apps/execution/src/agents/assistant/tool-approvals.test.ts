import type { PendingCall } from "@crosszone/assistant";
import { createAssistant } from "@crosszone/assistant/runtime";
import { call, finish, scriptedModel, text, toolThat } from "@crosszone/assistant/testing";
import type { InputDeciders, InputRequest } from "@crosszone/contracts";
import { createTracer } from "@crosszone/service-kit/tracing";
import { describe, expect, test } from "vitest";
import { agentThat } from "../../testing/start-zone.ts";
import type { ApprovalFor } from "../../people/approvals.ts";
import type { UseVerdict } from "../../people/input-record.ts";
import { byRequester, newRecord } from "../../testing/new-input.ts";
import {
  type Agent,
  type AgentAnswer,
  type AgentTaskInput,
  type AskedInput,
  type RunInputs,
  TaskPaused,
} from "../agent.ts";
import { createAssistantAgent, permitBy } from "./assistant-agent.ts";

const nothing = async () => undefined;

const input: AgentTaskInput = {
  task_id: "task-1",
  correlation_id: "c-1",
  text: "Publish it",
  thread: [],
  attachments: [],
  channel: "C1",
  user_id: "U1",
};

const bySelf = byRequester({ agent: "assistant", sideEffects: true }).terms.decide;
const by = (...people: string[]): InputDeciders => ({ ...bySelf, people, requester: false });
const policy =
  (decide: InputDeciders): ApprovalFor =>
  (query) => ({ needed: query.sideEffects, terms: { ...byRequester(query).terms, decide } });
const unneeded: ApprovalFor = (query) => ({ ...byRequester(query), needed: false });

/** An agent with side effects, and the tasks that it ran. */
function publisher(run: Agent["run"] = async () => ({ response_text: "published" })) {
  const tasks: AgentTaskInput[] = [];
  const agent: Agent = {
    ...agentThat((task, context) => (tasks.push(task), run(task, context)), "publisher"),
    describe: async () => ({ sideEffects: true }),
  };
  return { agent, tasks };
}

interface Asking {
  readonly model: ReturnType<typeof scriptedModel>;
  readonly agent: Agent;
  readonly approvalFor?: ApprovalFor;
  readonly asked?: Partial<AgentTaskInput>;
  readonly inputs?: RunInputs;
}

/** Runs the assistant once. */
async function ask({ model, agent, approvalFor = policy(bySelf), asked, inputs }: Asking): Promise<AgentAnswer> {
  const assistant = createAssistantAgent({
    choose: async () => ({ assistant: createAssistant({ model, emit: () => undefined }), instructions: undefined }),
    modelLabel: "Scripted",
    listAgents: async () => [agent],
    trusted: new Set(),
    mcp: undefined,
    tracer: createTracer(),
    showDetail: false,
    memoryOf: () => undefined,
    spendingOf: () => ({ reserve: async () => ({ recordUse: nothing }), callTool: async () => nothing }),
    approvalFor,
    emit: () => undefined,
  });
  const signal = new AbortController().signal;
  const readFile = () => Promise.reject(new Error("none"));
  return assistant.run({ ...input, ...asked }, { signal, now: () => new Date(0), readFile, inputs });
}

async function pauseOf(asking: Asking) {
  const paused = await ask(asking).catch((error: unknown) => error);
  if (!(paused instanceof TaskPaused)) throw new Error(`not paused: ${JSON.stringify(paused)}`);
  return { awaited: paused.awaited as AskedInput[], continuation: paused.continuation, text: paused.text };
}

const expires_at = "2026-11-21T12:00:00Z";
const request = (members: Partial<InputRequest>): InputRequest => {
  return { ...newRecord().request, state: "approved", expires_at, ...members };
};

/** What a run gets when all of a pause was decided alike. Records what is used. */
function decided(
  { awaited, continuation }: Awaited<ReturnType<typeof pauseOf>>,
  how: Partial<InputRequest>,
  verdict: UseVerdict = "allowed",
) {
  const used: unknown[] = [];
  const inputs: RunInputs = {
    continuation: JSON.parse(JSON.stringify(continuation)) as unknown,
    decided: new Map(awaited.map(({ key }) => [key, request(how)])),
    use: async (key, action) => (used.push([key, action]), verdict),
    isOpen: () => false,
  };
  return { inputs, used };
}

const publish = () => [...text("I'll publish it."), call("publisher", { text: "v1" }), finish("tool-calls")];
const oneCall = () => scriptedModel(publish(), [...text("Done."), finish()]);
const resultIn = (model: ReturnType<typeof scriptedModel>) => JSON.stringify(model.calls.at(-1)?.prompt.at(-1));

describe("a call that the policy wants approved", () => {
  test("is asked with its arguments, and runs once with these when it was approved", async () => {
    const questions: unknown[] = [];
    const approvalFor: ApprovalFor = (question) => (questions.push(question), policy(bySelf)(question));
    const { agent, tasks } = publisher();
    const asking = { model: oneCall(), agent, approvalFor };
    const pause = await pauseOf(asking);
    const action = { agent: "assistant", tool: "publisher", arguments: { text: "v1" } };
    expect(questions).toEqual([{ agent: "assistant", tool: "publisher", channel: "C1", sideEffects: true }]);
    expect(pause).toMatchObject({ text: "I'll publish it." });
    expect(pause.awaited).toEqual([
      { key: expect.any(String) as string, kind: "approve", title: "Ask publisher", action, not: [] },
    ]);
    expect(tasks).toEqual([]);
    const { inputs, used } = decided(pause, {});
    const answer = await ask({ ...asking, inputs });
    expect(used).toEqual([[pause.awaited[0]?.key, action]]);
    expect(tasks.map(({ text: passed }) => passed)).toEqual(["v1"]);
    expect(answer).toMatchObject({
      response_text: "I'll publish it.\n\nDone.",
      usage: { input_tokens: 20, output_tokens: 10 },
    });
  });

  test.each([
    ["denied", { votes: [vote("no, use v2")] }, /U2 denied it at 2026-11-20T13:00:00Z because: .*no, use v2/],
    ["denied", { votes: [vote()] }, /U2 denied it at .* without a reason/],
    ["expired", {}, /no decision was made by 2026-11-21T12:00:00Z/],
    ["withdrawn", { closed_because: "an operator" }, /withdrawn \(an operator\)/],
  ] as const)("%s: the model gets the reason instead of a result", async (state, members, expected) => {
    const { agent, tasks } = publisher();
    const asking = { model: oneCall(), agent };
    const how = {
      state,
      decided_at: "2026-11-20T13:00:00Z",
      ...members,
      votes: [...("votes" in members ? members.votes : [])],
    };
    const { inputs, used } = decided(await pauseOf(asking), how);
    await ask({ ...asking, inputs });
    expect(resultIn(asking.model)).toMatch(expected);
    expect([tasks, used]).toEqual([[], []]);
  });

  test.each([
    ["changed", "approved", "changed"],
    ["too late", "approved", "void"],
    ["void already", "void", "allowed"],
  ] as const)("%s before it ran is asked once more and never runs", async (_why, state, verdict) => {
    const { agent, tasks } = publisher();
    const asking = { model: oneCall(), agent };
    const first = await pauseOf(asking);
    const second = await pauseOf({ ...asking, inputs: decided(first, { state }, verdict).inputs });
    expect(second.awaited[0]?.key).not.toBe(first.awaited[0]?.key);
    expect(second.awaited[0]?.action).toEqual(first.awaited[0]?.action);
    await ask({ ...asking, inputs: decided(second, { state }, verdict).inputs });
    expect(resultIn(asking.model)).toContain("did not hold");
    expect(tasks).toEqual([]);
  });

  test("after a crash: an agent is called again with the same task, which it knows", async () => {
    const { agent, tasks } = publisher();
    const pause = await pauseOf({ model: oneCall(), agent });
    for (const verdict of ["allowed", "again"] as const) {
      const { inputs } = decided(pause, {}, verdict);
      await ask({ model: scriptedModel([...text("ok"), finish()]), agent, inputs });
    }
    expect(tasks).toHaveLength(2);
    expect(tasks[1]?.task_id).toBe(tasks[0]?.task_id);
  });

  test("after a crash: a tool that can't recognize its calls, as of MCP, is not called again", async () => {
    const names = { name: "wiki_send", tool: "wiki_send", title: "Use wiki_send" };
    const pending: PendingCall = { ...names, key: "k", id: "1", input: {}, number: 1 };
    const awaited: AskedInput[] = [{ key: "k", kind: "approve", title: "" }];
    const { inputs } = decided({ awaited, continuation: null, text: "" }, {}, "again");
    const judge = (runsOnce: boolean) => {
      const tools = [toolThat(async () => ({ text: "" }), { name: "wiki_send", runsOnce })];
      return permitBy({ inputs, tools, signal: new AbortController().signal })(pending);
    };
    expect(await judge(true)).toEqual({ instead: expect.stringContaining("may have run") as string });
    expect(await judge(false)).toBe("run");
  });
});

describe("content of others", () => {
  const thread = [{ text: "planted", user: "U2" }];

  test.each([
    ["their author alone can approve: the tool is withheld", by("U2"), true],
    ["the requester alone can't make two: the tool is withheld", { ...bySelf, people: ["U2"], approve: 2 }, true],
    ["someone else can approve: they are asked, and the author does not count", by("U2", "U3"), false],
    ["the requester can approve: they are asked", bySelf, false],
    ["a group can approve: it is asked", { ...by(), groups: ["S1"] }, false],
  ])("%s", async (_case, decide, isWithheld) => {
    const { agent, tasks } = publisher();
    const asking = { model: oneCall(), agent, approvalFor: policy(decide), asked: { thread } };
    const ended = await ask(asking).catch((error: unknown) => error);
    expect(ended instanceof TaskPaused).toBe(!isWithheld);
    const prompt = JSON.stringify(asking.model.calls[0]?.prompt[0]);
    expect(prompt.includes("not offered now")).toBe(isWithheld);
    expect(ended instanceof TaskPaused ? ended.awaited : []).toMatchObject(isWithheld ? [] : [{ not: ["U2"] }]);
    expect(tasks).toEqual([]);
  });

  test("without an approval: the tool is withheld as long as they are there, and runs at once otherwise", async () => {
    const { agent, tasks } = publisher();
    await ask({ model: oneCall(), agent, approvalFor: unneeded, asked: { thread } });
    expect(tasks).toEqual([]);
    await ask({ model: oneCall(), agent, approvalFor: unneeded });
    expect(tasks).toHaveLength(1);
  });
});

test("a called agent that asks people pauses the task, and gets what they decided as its own", async () => {
  const got: unknown[] = [];
  const usage = { input_tokens: 3, output_tokens: 1, cached_input_tokens: 0, cost: null };
  const { agent } = publisher(async ({ text: passed }, { inputs }) => {
    if (passed === "v0") return { response_text: "ok", usage };
    const asks: AskedInput = { key: "k", kind: "text", title: "Which city?" };
    if (inputs === undefined) throw new TaskPaused([asks, { waits_for: "inp_of_a_run_0001" }], { continuation: 7 });
    const verdict = await inputs.use("k", { agent: "a", tool: "t", arguments: {} });
    got.push(inputs.continuation, [...inputs.decided.keys()], verdict);
    return { response_text: "ok" };
  });
  const model = scriptedModel([call("publisher", { text: "v0" }), ...publish()], [...text("Done."), finish()]);
  const asking = { model, agent, approvalFor: unneeded };
  const pause = await pauseOf(asking);
  expect(pause.awaited[1]).toEqual({ waits_for: "inp_of_a_run_0001" });
  expect(pause.awaited[0]?.key).toMatch(/^[0-9a-f-]{36}\/k$/);
  const { inputs, used } = decided({ ...pause, awaited: pause.awaited.slice(0, 1) }, { state: "answered" });
  expect(await ask({ ...asking, inputs })).toMatchObject({
    response_text: "I'll publish it.\n\nDone.",
    usage: { reported: [{ agent: "publisher", ...usage }] },
  });
  expect(got).toEqual([7, ["k"], "allowed"]);
  expect(used).toMatchObject([[pause.awaited[0]?.key, { tool: "t" }]]);
});

function vote(reason?: string) {
  const at = "2026-11-20T13:00:00Z";
  return { user_id: "U2", verdict: "deny", via: "slack", at, ...(reason && { reason }) } as const;
}
