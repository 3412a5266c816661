import { describe, expect, test } from "vitest";
import { hitlRequestIn, hitlUri, isResponseTo, readHitlRequest } from "./hitl-extension.ts";

const tool = (id: string, args: unknown = { path: "/x" }) => ({ id, call_id: `call-${id}`, name: `tool-${id}`, args });
const approvalOf = (tools: readonly object[], more: object = {}) => ({ type: "tool_approval_request", tools, ...more });
const questions = [{ question: "Which?", choices: ["a", "b", "a"], multiple: true }, { question: "Why?" }];
const askOf = (more: object = {}) => ({ type: "ask_user_request", id: "q", questions, ...more });

describe("a structured request", () => {
  test("is found only where the message declares the extension and has its metadata", () => {
    const message = { extensions: ["other", hitlUri], metadata: { [hitlUri]: askOf() } };
    expect(hitlRequestIn(message)).toEqual(askOf());
    const others = [undefined, {}, { ...message, extensions: ["other"] }, { ...message, extensions: undefined }];
    const data = { ...message, metadata: {}, parts: [{ kind: "data", data: { [hitlUri]: askOf() } }] };
    for (const other of [...others, data, { ...message, metadata: { [hitlUri]: "yes" } }])
      expect(hitlRequestIn(other)).toBeUndefined();
  });

  test("of tools is read with their ids and arguments, null as none", () => {
    expect(readHitlRequest(approvalOf([tool("1"), tool("2", null)], { hint: "look" }))).toEqual({
      type: "tool_approval",
      tools: [
        { id: "1", name: "tool-1", args: { path: "/x" } },
        { id: "2", name: "tool-2", args: {} },
      ],
      hint: "look",
    });
  });

  test("of questions is read with each choice once", () => {
    expect(readHitlRequest(askOf())).toEqual({
      type: "ask_user",
      id: "q",
      questions: [
        { question: "Which?", choices: ["a", "b"], multiple: true },
        { question: "Why?", choices: [], multiple: false },
      ],
    });
  });

  test("of a nested agent is answered with the ids of that agent", () => {
    const nested = { subagent_name: "inner", task_id: "t", tools: [tool("in-1"), tool("in-2")] };
    const read = readHitlRequest(approvalOf([tool("outer")], { nested }));
    expect(read).toMatchObject({ subagent: "inner", tools: [{ id: "in-1" }, { id: "in-2" }] });
    expect(readHitlRequest(askOf({ nested }))).toMatchObject({ id: "in-1", subagent: "inner" });
    const ask = { ...tool("in-3"), name: "ask_user" };
    expect(readHitlRequest(askOf({ nested: { tools: [tool("in-1"), ask] } }))).toMatchObject({ id: "in-3" });
  });

  test.each([
    ["an unknown type", { ...approvalOf([tool("1")]), type: "tool_approval_request_v2" }],
    ["no tools", approvalOf([])],
    ["an id twice", approvalOf([tool("1"), tool("1")])],
    ["a tool without an id", approvalOf([tool("1"), { name: "x", args: {} }])],
    ["arguments that are no object", approvalOf([tool("1", "rm -rf")])],
    ["an empty nested request", approvalOf([tool("1")], { nested: { tools: [] } })],
    ["a question without an id", askOf({ id: undefined })],
    ["no questions", askOf({ questions: [] })],
    ["a question without words", askOf({ questions: [...questions, { question: " " }] })],
    ["no object", "tool_approval_request"],
  ])("with %s is not read", (_, payload) => expect(readHitlRequest(payload)).toBeUndefined());
});

test("a response fits a request only with exactly its ids, each once", () => {
  const response = (...ids: readonly string[]) => ({
    type: "tool_approval_response",
    approvals: ids.map((id) => ({ id, approved: true })),
  });
  const request = approvalOf([tool("1"), tool("2")]);
  expect(isResponseTo(response("2", "1"), request)).toBe(true);
  for (const ids of [["1"], ["1", "1"], ["1", "3"], ["1", "2", "3"], ["1", "2", "2"]])
    expect(isResponseTo(response(...ids), request)).toBe(false);
  const answer = { type: "ask_user_response", id: "q", answers: [] };
  expect(isResponseTo(answer, askOf())).toBe(true);
  for (const other of [askOf({ id: "r" }), request, undefined]) expect(isResponseTo(answer, other)).toBe(false);
  expect(isResponseTo(response("1"), askOf({ id: "1" }))).toBe(false);
});
