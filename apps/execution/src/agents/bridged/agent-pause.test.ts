import { hitlUri } from "@crosszone/agent-bridge";
import type { AgentResult, InputRequest } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import type { UseVerdict } from "../../people/input-record.ts";
import { startBridgedAgent } from "../../testing/start-bridged-agent.ts";

const tool = (id: string, args: object = { path: `/${id}` }) => ({ id, call_id: id, name: "delete_file", args });
const approval = (...tools: readonly object[]) => ({ type: "tool_approval_request", tools });
const ask = (...questions: readonly object[]) => ({ type: "ask_user_request", id: "ask-1", questions });

/** The result of an agent that asks, with these members of the failure's data. */
const askingInWords = (members: object): Partial<AgentResult> => {
  const data = { task_id: "remote-1", context_id: "theirs", ...members };
  const error = { kind: "input_required", message: "asks", retryable: false, data } as const;
  return { status: "FAILURE", output_data: null, open_task_id: "remote-1", error };
};

/** The same in a structured form. */
const asking = (asks: unknown) => askingInWords({ asks, response: "May I?", agent_says: "May I?" });

type Decision = Partial<InputRequest>;

function startAgent(...results: readonly Partial<AgentResult>[]) {
  // What is kept through it is lost when the task pauses.
  const started = startBridgedAgent(results, { before: { openTaskId: "remote-0" }, keep: () => undefined });
  const { calls, after, pause } = started;
  /** The decisions on a pause, in order; undefined for an open one. */
  const decide = (paused: Awaited<ReturnType<typeof pause>>, ...decisions: readonly (Decision | undefined)[]) =>
    after(
      paused,
      Object.fromEntries(paused.awaited.flatMap(({ key }, at) => (decisions[at] ? [[key, decisions[at]]] : []))),
    );
  const answerOf = (call: (typeof calls)[number] | undefined) =>
    (call?.task.input_data as Record<string, unknown> | undefined)?.[hitlUri];
  return { ...started, decide, answerOf };
}

const yes: Decision = { state: "approved", answer: { verdict: "approve" } };
const no: Decision = {
  state: "denied",
  answer: { verdict: "deny", reason: "too risky" },
  votes: [{ user_id: "U-SECRET", verdict: "deny", via: "slack", at: "2026-01-01T00:00:00Z" }],
};

describe("tools that wait for approval", () => {
  test("P3: a pause over A2A is not swallowed: each is an approval of the exact call; who decides is left to the policy, and the thread's next message answers nothing", async () => {
    const { pause, kept } = startAgent(asking(approval(tool("1"), tool("2"))));
    const { awaited, text } = await pause();
    expect(text).toBe("May I?");
    expect(awaited).toEqual(
      ["1", "2"].map((id, index) => ({
        key: `a2a.1.${index}`,
        kind: "approve",
        title: "Allow A to call delete_file?",
        body: "May I?",
        action: { agent: "A", tool: "delete_file", arguments: { path: `/${id}` } },
      })),
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.openTaskId).toBeUndefined();
  });

  test("P3: a relayed answer is not flattened: the response has each id once, on the agent's task and in its context; the agent learns verdicts and reasons only", async () => {
    const tools = ["1", "2", "3", "4", "5"].map((id) => tool(id));
    const { pause, decide, run, calls, answerOf } = startAgent(asking(approval(...tools)), {});
    const inputs = decide(await pause(), yes, no, { state: "expired" }, { state: "void" }, { state: "withdrawn" });
    expect(await run(inputs)).toMatchObject({ response_text: expect.stringContaining("done") as string });
    expect(answerOf(calls[1])).toEqual({
      type: "tool_approval_response",
      approvals: [
        { id: "1", approved: true },
        { id: "2", approved: false, rejection_reason: "too risky" },
        { id: "3", approved: false, rejection_reason: "No decision was made in time." },
        { id: "4", approved: false, rejection_reason: "The approval was not used in time." },
        { id: "5", approved: false, rejection_reason: "The request was withdrawn." },
      ],
    });
    expect(calls[1]?.task).toMatchObject({ agent_name: "A", open_task_id: "remote-1", context_id: "theirs" });
    expect(calls[1]?.parent).toBe("t1");
    expect(JSON.stringify(calls[1])).not.toContain("U-SECRET");
    expect(inputs.use.mock.calls).toEqual([
      ["a2a.1.0", { agent: "A", tool: "delete_file", arguments: { path: "/1" } }],
    ]);
  });

  test.each<[UseVerdict, object]>([
    ["again", { approved: true }],
    ["changed", { approved: false, rejection_reason: "The call is not the one that was approved." }],
    ["void", { approved: false, rejection_reason: "The approval was not used in time." }],
    ["not_approved", { approved: false }],
  ])("an approval whose use is %s", async (verdict, approved) => {
    const { pause, decide, run, calls, answerOf } = startAgent(asking(approval(tool("1"))), {});
    const inputs = decide(await pause(), { ...yes, state: verdict === "again" ? "used" : "approved" });
    inputs.use.mockResolvedValue(verdict);
    await run(inputs);
    expect(answerOf(calls[1])).toMatchObject({ approvals: [{ id: "1", ...approved }] });
  });

  test("while one is open, the task pauses with the same requests, and nothing is used or sent", async () => {
    const { pause, decide, calls } = startAgent(asking(approval(tool("1"), tool("2"))));
    const first = await pause();
    const inputs = decide(first, yes, undefined);
    const again = await pause(inputs);
    expect([again.awaited, again.continuation]).toEqual([first.awaited, first.continuation]);
    expect(inputs.use).not.toHaveBeenCalled();
    expect(calls).toHaveLength(1);
  });

  test("a run after a crash answers by the same call; another pause has other keys and another call, even with the same ids", async () => {
    const asks = asking(approval(tool("1")));
    const { agent, pause, decide, run, calls, canceled } = startAgent(asks, asks, asks, {});
    const inputs = decide(await pause(), yes);
    const [second, third] = [await pause(inputs), await pause(inputs)];
    expect(second.awaited.map(({ key }) => key)).toEqual(["a2a.2.0"]);
    await run(decide(third, yes));
    const ids = calls.map(({ task: { run_id, task_id } }) => `${run_id} ${task_id}`);
    expect(ids[2]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
    agent.cancelElsewhere?.({ task_id: "t1", correlation_id: "c1", paused: { pauses: 2 } });
    expect(canceled.map((id) => (id === "t1" ? "t1 t1" : `${id} ${id}`))).toEqual([ids[0], ids[1], ids[3]]);
  });

  test.each([
    ["an unknown type", { type: "tool_approval_request_v2" }],
    ["more tools than a task can wait for", approval(...Array.from({ length: 21 }, (_, at) => tool(String(at))))],
    ["more questions than a form has fields", ask(...Array.from({ length: 11 }, () => ({ question: "?" })))],
  ])("with %s, the task fails and asks no one", async (_, asks) => {
    const { run, kept } = startAgent(asking(asks));
    await expect(run()).rejects.toMatchObject({ kind: "agent_invalid_response", data: { agent: "A" } });
    expect(kept[0]?.openTaskId).toBeUndefined();
  });
});

describe("questions to a person", () => {
  const long = "x".repeat(200);
  const city = { question: "Which city?", choices: ["Rome", "Oslo"], multiple: false };
  const all = { ...city, multiple: true };
  const why = { question: "Why?", choices: [], multiple: false };

  test.each<[string, readonly object[], object, object, readonly (readonly string[])[]]>([
    [
      "choices",
      [city],
      { kind: "choose", options: [{ value: "Rome" }, { value: "Oslo" }] },
      { value: "Oslo" },
      [["Oslo"]],
    ],
    [
      "choices too long for buttons",
      [{ ...city, choices: [long] }],
      { kind: "text", title: "Which city?", body: `May I?\n\nWhich city?\n- ${long}` },
      { value: "Rome" },
      [["Rome"]],
    ],
    [
      "several choices",
      [all],
      { kind: "form", title: "Which city?", schema: { properties: { q1_1: { type: "boolean", title: "Rome" } } } },
      { values: { q1_1: true, q1_2: true } },
      [["Rome", "Oslo"]],
    ],
    [
      "several questions",
      [city, all, why],
      { kind: "form", schema: { properties: { q1: { enum: ["Rome", "Oslo"] } }, required: ["q1", "q3"] } },
      { values: { q1: "Rome", q2_1: false, q2_2: true, q3: "0" } },
      [["Rome"], ["Oslo"], ["0"]],
    ],
    [
      "more choices than a form has fields",
      [{ ...all, choices: Array.from({ length: 12 }, (_, at) => `c${at}`) }],
      { kind: "form", schema: { properties: { q1: { type: "string" } }, required: ["q1"] } },
      { values: { q1: "c1 and c2" } },
      [["c1 and c2"]],
    ],
  ])("%s: the answers are those of the person, by position", async (_, ...[questions, asked, given, answers]) => {
    const { pause, decide, run, calls, answerOf } = startAgent(asking(ask(...questions)), {});
    const paused = await pause();
    expect(paused.awaited).toMatchObject([asked]);
    await run(decide(paused, { state: "answered", answer: { verdict: "answer", ...given } }));
    const expected = answers.map((answer) => ({ answer }));
    expect(answerOf(calls[1])).toEqual({ type: "ask_user_response", id: "ask-1", answers: expected });
  });

  test.each([
    ["declined", no, "No answer. too risky"],
    ["declined without a reason", { state: "denied", answer: { verdict: "deny" } }, "No answer. The person declined."],
    ["expired", { state: "expired" }, "No answer. No decision was made in time."],
  ] satisfies [string, Decision, string][])("%s: each question is answered with that", async (_, decision, says) => {
    const { pause, decide, run, calls, answerOf } = startAgent(asking(ask(city, why)), {});
    await run(decide(await pause(), decision));
    expect(answerOf(calls[1])).toMatchObject({ answers: [{ answer: [says] }, { answer: [says] }] });
  });
});

describe("questions in words", () => {
  const ofProgram = { hops: 0 };
  const city = askingInWords({ response: "Which city?", agent_says: "Which city?" });

  test("J1: only the program that asked replies, whatever the approval policy says, and its reply goes to the agent's task", async () => {
    const { pause, decide, run, calls, kept } = startAgent(city, {});
    const paused = await pause(undefined, ofProgram);
    const decider = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
    expect(paused.awaited).toEqual([{ key: "a2a.1.0", kind: "text", title: "Which city?", decide: decider }]);
    expect(paused.question).toMatchObject({ awaits: "input", text: "Which city?", data: [] });
    // The next message of the conversation is no reply.
    expect(kept[0]?.openTaskId).toBeUndefined();
    await run(decide(paused, { state: "answered", answer: { verdict: "answer", value: "Oslo" } }), ofProgram);
    expect(calls[1]?.task).toMatchObject({
      input_data: { text: "Oslo" },
      open_task_id: "remote-1",
      context_id: "theirs",
    });
  });

  test.each([
    ["a person", {}],
    ["a program through another agent", { ...ofProgram, parent_task_id: "t0" }],
  ])("J1: to %s a question stays an answer, and the next message continues the agent's task", async (_, members) => {
    const { run, kept } = startAgent(city);
    expect(await run(undefined, members)).toMatchObject({ response_text: "Which city?", awaits: "input" });
    expect(kept).toEqual([]);
  });

  const draft = {
    parts: [
      { kind: "text", text: "Draft." },
      { kind: "data", data: { nights: 2 } },
    ],
  };
  const file = { parts: [{ kind: "file", file: { name: "a.pdf", bytes: "aGk=" } }] };
  test.each<[string, object, object]>([
    [
      "what stands beside it",
      { artifacts: [draft], response: "OK?" },
      { text: "Draft.\n\nOK?", data: [{ nights: 2 }] },
    ],
    [
      "what the message repeats, once",
      {
        artifacts: [draft],
        response: "Draft. OK?",
        message: { parts: [{ kind: "text", text: "Draft. OK?" }, draft.parts[1]] },
      },
      { text: "Draft. OK?", data: [{ nights: 2 }] },
    ],
    [
      "data alone",
      { message: { parts: [draft.parts[1]] } },
      { text: "The agent needs more information.", data: [{ nights: 2 }] },
    ],
    ["a list as one piece of data", { message: { parts: [{ kind: "data", data: [1, 2] }] } }, { data: [[1, 2]] }],
    ["the name of a file", { artifacts: [file], response: "OK?" }, { text: "OK?\n\n(Not passed on: a.pdf.)" }],
    [
      "the end of a long text",
      { artifacts: [{ parts: [{ text: "x".repeat(20_000) }] }], response: "OK?" },
      { text: `…${"x".repeat(9_995)}\n\nOK?` },
    ],
    [
      "no data that is too large",
      { message: { parts: [{ kind: "data", data: "x".repeat(50_001) }] }, response: "OK?" },
      { text: "The agent needs more information.\n\n(Not passed on: data that is too large.)", data: [] },
    ],
  ])("J1: a question has %s", async (_, data, question) => {
    expect((await startAgent(askingInWords(data)).pause(undefined, ofProgram)).question).toMatchObject(question);
  });

  test("J1: a code block in data does not end the block around it", async () => {
    const data = askingInWords({ message: { parts: [{ kind: "data", data: { markdown: "```" } }] } });
    const { awaited } = await startAgent(data).pause(undefined, ofProgram);
    expect(awaited[0]?.body).toContain("````json\n");
  });

  test.each<[string, Decision, object]>([
    ["declined", no, { kind: "canceled" }],
    ["withdrawn", { state: "withdrawn" }, { kind: "canceled" }],
    ["expired", { state: "expired", expires_at: "2026-01-01T00:00:00Z" }, { kind: "timeout", data: { agent: "A" } }],
  ])("J1: %s, the task ends, and the agent gets no words that nobody wrote", async (_, decision, error) => {
    const { pause, decide, run, calls } = startAgent(city, {});
    await expect(run(decide(await pause(undefined, ofProgram), decision), ofProgram)).rejects.toMatchObject(error);
    expect(calls).toHaveLength(1);
  });
});
