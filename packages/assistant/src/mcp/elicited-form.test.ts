import { isInputRequest, problemsOf } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { formOf } from "./elicitation.ts";

const ask = (properties: object, required: unknown = Object.keys(properties)) =>
  formOf({ message: "Which?", requestedSchema: { type: "object", properties, required } });

test.each<[string, object, object]>([
  ["one text is a text", { name: { type: "string" } }, { kind: "text", field: "name" }],
  [
    "one choice is a choice, with the server's labels",
    { size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] } },
    {
      kind: "choose",
      field: "size",
      options: [
        { value: "s", label: "Small" },
        { value: "l", label: "Large" },
      ],
    },
  ],
  [
    "titled constants are choices, too",
    { size: { type: "string", oneOf: [{ const: "s", title: "Small" }] } },
    { kind: "choose", field: "size", options: [{ value: "s", label: "Small" }] },
  ],
  ["no field is a confirmation", {}, { kind: "choose", options: [{ value: "yes", label: "Continue" }] }],
  [
    "a text with limits is a form",
    { mail: { type: "string", format: "email", title: "Your\nmail" } },
    {
      kind: "form",
      schema: {
        type: "object",
        properties: { mail: { type: "string", format: "email", title: "Your mail" } },
        required: ["mail"],
      },
    },
  ],
])("%s", (_what, properties, form) => {
  expect(ask(properties)).toEqual(form);
});

test("nothing is filled in, and what people can't be shown is left out", () => {
  const properties = {
    count: { type: "integer", default: 3, minimum: 1, maximum: 9 },
    sure: { type: "boolean", default: true, description: "x".repeat(500) },
    tags: { type: "array", items: { enum: ["a"] } },
    "bad name": { type: "string" },
    strange: { type: "string", minLength: -1, maxLength: 0, format: "regex" },
  };
  const form = ask(properties, ["count", "missing", 7]);
  expect(form).toEqual({
    kind: "form",
    schema: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: 9 },
        sure: { type: "boolean", description: "x".repeat(150) },
        strange: { type: "string" },
      },
      required: ["count"],
    },
  });
  const schema = typeof form === "string" ? undefined : form.schema;
  const problems = problemsOf(isInputRequest, { kind: "form", schema });
  expect(problems.filter(({ pointer }) => pointer.startsWith("/schema"))).toEqual([]);
});

const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`f${at}`, { type: "boolean" }]));

test.each<[string, object, RegExp]>([
  ["a required list", { tags: { type: "array" } }, /can't be shown/],
  ["too many fields", many, /can't be shown/],
  ["a choice among too many", { one: { type: "string", enum: Array.from({ length: 26 }, String) } }, /can't be shown/],
  ["a password", { Password: { type: "string" } }, /a secret/],
  ["a key, by its title", { value: { type: "string", title: "Your API key" } }, /a secret/],
])("people are not asked for %s", (_what, properties, why) => {
  expect(ask(properties)).toMatch(why);
});

test("people are not asked on a page of the server, nor without a message", () => {
  expect(formOf({ mode: "url", message: "Log in", url: "https://evil.example" })).toMatch(/page of its own/);
  expect(formOf({ message: " ", requestedSchema: { properties: {} } })).toMatch(/did not say/);
});
