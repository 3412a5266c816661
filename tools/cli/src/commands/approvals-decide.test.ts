import type { InputRequest } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { UsageError } from "../program/session.ts";
import { readAnswer } from "./approvals.ts";

const approval: InputRequest = {
  request_id: "inp_3f2a5c6d7e8f9012",
  kind: "approve",
  state: "open",
  version: 1,
  seq: 1,
  title: "Deploy?",
  decide: { people: ["U1"], groups: [], requester: false, approve: 1, deny: 1 },
  visibility: "thread",
  agent: "shop",
  created_at: "2026-11-25T10:00:00.000Z",
  expires_at: "2026-11-26T10:00:00.000Z",
  votes: [],
};
const text: InputRequest = { ...approval, kind: "text" };
const options = [
  { value: "staging", label: "Staging" },
  { value: "deny", label: "None of them" },
];
const choice: InputRequest = { ...approval, kind: "choose", options };
const form: InputRequest = {
  ...approval,
  kind: "form",
  schema: {
    type: "object",
    properties: { days: { type: "integer" }, note: { type: "string" }, paid: { type: "boolean" } },
    required: ["days"],
  },
};

test("an answer fits the kind of its request, and a form's values have the types of their fields", () => {
  expect(readAnswer(approval, { given: "approve", reason: "seen" })).toEqual({ verdict: "approve", reason: "seen" });
  expect(readAnswer(text, { given: "approve" })).toEqual({ verdict: "answer", value: "approve" });
  expect(readAnswer(choice, { given: "staging" })).toEqual({ verdict: "answer", value: "staging" });
  const value = ["days=3", "note=7=x", "paid=true"];
  expect(readAnswer(form, { value: ["note=3", "days=many"] })).toMatchObject({ values: { note: "3", days: "many" } });
  expect(readAnswer(form, { value })).toEqual({ verdict: "answer", values: { days: 3, note: "7=x", paid: true } });
});

test("deny declines any kind of request, unless an option has this value", () => {
  for (const request of [approval, text, form])
    expect(readAnswer(request, { given: "deny" })).toEqual({ verdict: "deny" });
  expect(readAnswer(choice, { given: "deny" })).toEqual({ verdict: "answer", value: "deny" });
});

test.each<[string, InputRequest, Parameters<typeof readAnswer>[1], string]>([
  ["a missing verdict", approval, {}, 'Answer "Deploy?" with approve or deny.'],
  ["a field of no form", approval, { given: "approve", value: ["a=1"] }, "--value fills in forms."],
  ["an unknown option", choice, { given: "stagin" }, "with staging or deny. Did you mean staging?"],
  ["an empty text", text, { given: "" }, "with a text, or deny."],
  ["a field without a value", form, { value: ["days"] }, '--value must be name=value, got "days".'],
  [
    "a value and a word",
    form,
    { given: "x", value: ["days=1"] },
    "with --value name=value for each of days, note, paid",
  ],
  ["a reason for a value", text, { given: "x", reason: "y" }, "--reason goes with approve or deny."],
])("%s is an error that says what fits", (...[, request, given, sentence]) => {
  expect(() => readAnswer(request, given)).toThrow(UsageError);
  expect(() => readAnswer(request, given)).toThrow(sentence);
});
