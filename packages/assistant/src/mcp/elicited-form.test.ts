import { isInputRequest, problemsOf } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { answersTo, elicitedBy, formOf, type McpRound } from "./elicitation.ts";
import { McpFailure } from "./mcp-failure.ts";

const ask = (properties: object, required: unknown = Object.keys(properties)) =>
  formOf({ message: "Which?", requestedSchema: { type: "object", properties, required } });

/** Returns what an input request does not allow in the schema of a form. */
function problemsIn(form: ReturnType<typeof formOf>) {
  const schema = typeof form === "string" ? undefined : form.schema;
  const problems = problemsOf(isInputRequest, { kind: "form", schema });
  return problems.filter(({ pointer }) => pointer.startsWith("/schema"));
}

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
    tags: { type: "array", items: { type: "string" } },
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
  expect(problemsIn(form)).toEqual([]);
});

test.each<[string, object]>([
  ["untitled", { enum: ["red", "blue"] }],
  ["titled", { anyOf: [{ const: "red", title: "Red" }, null, { const: "blue", title: "Blue" }] }],
])(
  "J50: a list to select from was declined; each of its %s values is a yes or no, and the server gets a list",
  (how, items) => {
    const [red, blue] = how === "titled" ? ["Red", "Blue"] : ["red", "blue"];
    const colors = { type: "array", title: "Colors", items: { type: "string", ...items }, minItems: 1 };
    const form = ask({ colors, note: { type: "string" } }, ["colors"]);
    expect(form).toMatchObject({
      kind: "form",
      schema: {
        properties: {
          "colors-1": { type: "boolean", title: `Colors: ${red}` },
          "colors-2": { type: "boolean", title: `Colors: ${blue}` },
          note: { type: "string" },
        },
        required: [],
      },
    });
    expect(problemsIn(form)).toEqual([]);
    const params = { message: "Which?", requestedSchema: { properties: { colors }, required: ["colors"] } };
    const requests = { go: { method: "elicitation/create", params } };
    const call = { server: "ops", prefix: "ops_paint.1", canAsk: true, before: undefined };
    const { round } = elicitedBy({ requests }, call);
    const answers = (values: Record<string, boolean>) =>
      answersTo(
        JSON.parse(JSON.stringify(round)) as McpRound,
        new Map([["ops_paint.1.1.0", { state: "answered", answer: { verdict: "answer", values } }]]),
      );
    expect(answers({ "colors-1": false, "colors-2": true })).toEqual({
      go: { action: "accept", content: { colors: ["blue"] } },
    });
    expect(answers({})).toEqual({ go: { action: "accept", content: { colors: [] } } });
  },
);

test("J50: members that are null, and a choice that is, are not there", () => {
  const size = {
    type: ["string", "null"],
    title: null,
    enum: ["s", null, "l"],
    enumNames: ["Small", "None", "Large"],
    format: null,
  };
  const form = formOf({ mode: null, message: "Which?", requestedSchema: { properties: { size }, required: null } });
  expect(form).toEqual({
    kind: "choose",
    field: "size",
    options: [
      { value: "s", label: "Small" },
      { value: "l", label: "Large" },
    ],
  });
});

test("J50: a request that is null, and one without a form, do not lose the others", () => {
  const call = { server: "ops", prefix: "p", canAsk: true, before: undefined };
  const asked = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: null } };
  const empty = { method: "elicitation/create", params: null };
  const { questions, round } = elicitedBy({ requests: { go: asked, empty } } as never, call);
  expect(questions).toHaveLength(1);
  expect(round.declined).toEqual([
    "(The server ops asked for input, but did not say for what. The request was declined.)",
  ]);
  expect(() => elicitedBy({ requests: { go: null } } as never, call)).toThrow(McpFailure);
});

const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`f${at}`, { type: "boolean" }]));

test.each<[string, object, RegExp]>([
  ["a required list of any values", { tags: { type: "array" } }, /can't be shown/],
  [
    "a selection among too many",
    { tags: { type: "array", items: { enum: Array.from({ length: 11 }, String) } } },
    /can't be shown/,
  ],
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
