import { afterEach, describe, expect, test, vi } from "vitest";
import { createPrompter } from "./create-prompter.ts";
import { finish, scriptedModel, text, wireModels, wireProviders } from "./testing/ask-assistant.ts";
import { replyOf } from "./testing/wire-streams.ts";

afterEach(() => void vi.unstubAllGlobals());

const nothing = async () => undefined;
const spending = { reserve: async () => ({ recordUse: nothing }), callTool: async () => nothing };
const context = { signal: new AbortController().signal, spending };
const once = { limits: { attempts: 1 }, emit: () => undefined };

test.each([
  ["a half answer", [...text("Half an"), finish("other")], "interrupted"],
  ["an answer at the limit", [...text("Half an"), finish("length")], "output_limit"],
  ["a refusal", [finish("content-filter")], "refused"],
  ["nothing", [finish()], "no_answer"],
])("%s is no output of a prompt", async (_what, script, reason) => {
  const prompter = createPrompter({ model: scriptedModel(script), ...once });
  await expect(prompter({ prompt: "Count" }, context)).rejects.toMatchObject({ reason });
});

const topics = ["invoice", "complaint"];
const schema = { type: "object", required: ["topic"], properties: { topic: { enum: topics } } };
const problem = { pointer: "/topic", message: "is missing" };
const form = {
  schema,
  check: async (value: unknown) => (topics.includes((value as { topic: string } | null)?.topic ?? "") ? [] : [problem]),
};

describe("J20: the answer of a prompt with a schema is the only JSON value of the text that fits it", () => {
  const invoice = '{"topic": "invoice"}';
  test.each([
    ["alone", invoice],
    ["in a fence", `\`\`\`json\n${invoice}\n\`\`\``],
    ["in a fence in capitals", `\`\`\`JSON\n${invoice}\n\`\`\``],
    ["in a fence that is not closed", `\`\`\`json\n${invoice}`],
    ["with prose around it", `Here is the JSON:\n\n\`\`\`json\n${invoice}\n\`\`\`\n\nTell me if you need more.`],
    ["after prose", `Here is the result: ${invoice}`],
    ["before prose", `${invoice}\n\nThe "topic" is an invoice {see above} [1].`],
    ["twice", `${invoice}\nAs JSON: \`${invoice}\``],
    ["with a quoted bracket", `So: {"topic": "invoice", "why": "it has a } and a \\" in it"}`],
    ["beside what does not fit", `The list [1, 2] and {"a": 1} mean ${invoice}.`],
  ])("%s", async (_where, said) => {
    const model = scriptedModel([...text(said), finish()]);
    expect(await createPrompter({ model, ...once })({ prompt: "Sort", form }, context)).toMatchObject({
      topic: "invoice",
    });
    expect(model.calls).toHaveLength(1);
  });

  test.each([
    ["no JSON", "an invoice", "it is not JSON"],
    ["two that fit", '{"topic": "invoice"} or {"topic": "complaint"}', "it has several values that do"],
    ["another value", '{"subject": 1}', "/topic is missing"],
    ["none of two", '{"subject": 1} {"subject": 2}', "none of its JSON values does"],
    ["a part of what is no JSON", '{"all": {"topic": "invoice"},}', "it is not JSON"],
    ["a part of what is not closed", '{"all": {"topic": "invoice"}', "it is not JSON"],
  ])("not %s: the model is asked once more, then the step fails", async (_what, said, wrong) => {
    const model = scriptedModel([...text(said), finish()]);
    const sentence = `The model's answer does not match the schema: ${wrong}.`;
    await expect(createPrompter({ model, ...once })({ prompt: "Sort", form }, context)).rejects.toMatchObject({
      sentence,
    });
    expect(model.calls).toHaveLength(2);
  });
});

describe.each(wireProviders)("J20: %s", (wire) => {
  const said = { thought: "", signature: "", text: '{"topic":"invoice"}', input: "", ends: "end" } as const;

  /** Asks for JSON, and returns the bodies of the requests. The provider refuses the first call with a message. */
  async function asked(message?: string, status = 400) {
    const bodies: string[] = [];
    vi.stubGlobal("fetch", async (_url: string, { body }: { readonly body: string }) => {
      bodies.push(body);
      if (message !== undefined && bodies.length === 1)
        return Response.json({ message, error: { type: "invalid_request_error", message } }, { status });
      return new Response(replyOf[wire](said, {}).body as string);
    });
    const model = await wireModels[wire]("https://model.example");
    const output = await createPrompter({ model, ...once })({ prompt: "Sort", form }, context);
    expect(output).toEqual({ topic: "invoice" });
    return { bodies, refused: [...model.refused] };
  }
  const structure = /"(?:response_format|format|output_format|outputConfig|toolConfig|tool_choice|output_config)":/;

  test("is asked for the schema in its own way", async () => {
    const { bodies } = await asked();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatch(structure);
  });

  test.each([
    [400, "Invalid schema: 'enum' must not be empty"],
    [500, "Failed to compile the grammar"],
  ])("that does not take this schema is asked for JSON in words, for this prompt: %i", async (status, message) => {
    const { bodies, refused } = await asked(message, status);
    expect(bodies.map((body) => structure.test(body))).toEqual([true, false]);
    expect(refused).toEqual([]);
  });

  test("that has no such way is asked for JSON in words from then on", async () => {
    const { bodies, refused } = await asked("response_format json_schema is not supported by this model");
    expect(bodies.map((body) => structure.test(body))).toEqual([true, false]);
    expect(refused).toEqual(["response_format"]);
  });
});
