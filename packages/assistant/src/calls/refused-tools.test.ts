import { describe, expect, test } from "vitest";
import {
  askAssistant,
  frames,
  type ModelReply,
  named,
  sse,
  startModelServer,
  toolThat,
  wireModels,
} from "../testing/ask-assistant.ts";
import type { ProviderName } from "../models/model-choice.ts";
import { refusalsOfTools, refusedToolIn } from "./refused-tools.ts";

const delta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
/** The answer "Found." of each wire. */
const found: Readonly<Record<ProviderName, ModelReply["body"]>> = {
  "openai-compatible": sse(
    { choices: [{ delta: { content: "Found." } }] },
    { choices: [{ delta: {}, finish_reason: "stop" }] },
  ),
  anthropic: named(
    { type: "message_start", message: { id: "m", model: "m", usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    delta("Found."),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ),
  openai: named(
    { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } },
    { type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0, delta: "Found." },
    { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: 1 } } },
  ),
  bedrock: frames(
    ["messageStart", { role: "assistant" }],
    ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Found." } }],
    ["contentBlockStop", { contentBlockIndex: 0 }],
    ["messageStop", { stopReason: "end_turn" }],
    ["metadata", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }],
  ),
};

interface SentTool {
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly toolSpec?: { readonly name: string };
}

/** Returns the names of the tools of a request, on any wire. */
function namesIn(body: Readonly<Record<string, unknown>>): string[] {
  const { tools, toolConfig } = body as { tools?: SentTool[]; toolConfig?: { readonly tools: SentTool[] } };
  return (tools ?? toolConfig?.tools ?? []).map(
    (tool) => tool.name ?? tool.function?.name ?? tool.toolSpec?.name ?? "",
  );
}

const missing = "In context=('properties', 'tags'), array schema missing items.";
const union = "input_schema does not support oneOf, allOf, or anyOf at the top level";

/** What providers say of the tool at the place `$`, or at `#` where they count from 1, and which parameter they name. */
const wordings: readonly [whose: string, wire: ProviderName, message: string, param?: string][] = [
  ["OpenAI's chat, by the name", "openai-compatible", `Invalid schema for function 'wiki_odd': ${missing}`],
  ["OpenAI's chat, by the place", "openai-compatible", "Invalid value.", "tools[$].function.parameters"],
  ["Gemini", "openai-compatible", "* tools[0].function_declarations[$].parameters.properties[tags].items: missing"],
  ["vLLM", "openai-compatible", "Input should be a valid dictionary", "body.tools.$.function.parameters"],
  ["Groq", "openai-compatible", "invalid JSON schema for tool wiki_odd: `/properties/tags`: expected items"],
  ["Anthropic", "anthropic", "tools.$.custom.input_schema: JSON schema is invalid"],
  ["Anthropic, a union", "anthropic", `tools.$.input_schema: ${union}`],
  ["OpenAI's responses", "openai", `Invalid schema for function 'wiki_odd': ${missing}`, "tools[$].parameters"],
  ["Bedrock", "bedrock", "The value at toolConfig.tools.$.toolSpec.inputSchema.json.type must be: object."],
  ["Bedrock, counted from 1", "bedrock", "Value at 'toolConfig.tools.#.member.toolSpec.name' failed to satisfy"],
  ["Claude on Bedrock", "bedrock", "The model returned the following errors: tools.$.custom.input_schema: required"],
];

const wikiTool = (name: string, title = "") =>
  toolThat(async () => ({ text: "" }), {
    name: `wiki_${name}`,
    inputSchema: { type: "object", properties: {}, title },
  });

describe("J13: one tool whose schema the provider refused failed every question", () => {
  test.each<(typeof wordings)[number]>(wordings)("%s", async (...[, wire, message, param]) => {
    const { url, requests } = await startModelServer(({ body }) => {
      const at = namesIn(body).indexOf("wiki_odd");
      const isBad = at !== -1 && JSON.stringify(body).includes("unpatched");
      const said = (text: string) => text.replace("$", String(at)).replace("#", String(at + 1));
      const error = { message: said(message), param: param && said(param), type: "invalid_request_error" };
      return isBad
        ? { status: 400, type: "application/json", body: JSON.stringify(wire === "bedrock" ? error : { error }) }
        : { type: wire === "bedrock" ? "application/vnd.amazon.eventstream" : "text/event-stream", body: found[wire] };
    });
    const model = await wireModels[wire](url);
    const tools = [wikiTool("one"), wikiTool("odd", "unpatched"), wikiTool("two")];
    const first = await askAssistant(model, { question: { tools } });
    expect(first.answer?.text).toBe("Found.");
    expect(first.retries.filter((one) => one === "wiki_odd")).toEqual(["wiki_odd"]);
    const others = ["make_file", "wiki_one", "wiki_two"];
    expect(requests.map(({ body }) => namesIn(body))).toEqual([
      [...others.slice(0, 2), "wiki_odd", "wiki_two"],
      others,
    ]);
    expect((await askAssistant(model, { question: { tools } })).retries).toEqual([]);
    expect(requests.slice(2).map(({ body }) => namesIn(body))).toEqual([others]);
    // The server has corrected its schema.
    await askAssistant(model, { question: { tools: [...tools.slice(0, 1), wikiTool("odd")] } });
    expect(namesIn(requests.at(-1)?.body ?? {})).toContain("wiki_odd");
  });
});

const sent = ["get", "find", "find_all"].map((name) => ({ type: "function" as const, name, inputSchema: {} }));
const said = (message: string, param = "") => ({ message, param, type: "", code: "" });

test.each<[string, string, number | undefined, string[]]>([
  ["two tools at once", "tools.0.custom.input_schema: no. tools.2.custom.input_schema: no", 400, ["get", "find_all"]],
  ["a name that begins another", "Invalid schema for function 'find_all': no", 400, ["find_all"]],
  ["a place in words", "Tool at index 1 is invalid", 422, ["find"]],
  ["a pointer", "#/tools/2/function/parameters: type is missing", 400, ["find_all"]],
  ["a place that does not exist", "tools.9.custom.input_schema: no", 400, []],
  ["a model that takes no tools", "This model does not support tools.", 400, []],
  ["a role", "messages with role 'tool' must follow 'tool_calls'; get the parameters right", 400, []],
  ["a tool choice", "tool_choice 'find' is not supported", 400, []],
  ["too many requests", "Invalid schema for function 'find': no", 429, []],
  ["a wrong key", "tools.1.custom: your key has no access", 401, []],
])("J13: %s names the right tools", (...[, message, status, names]) => {
  expect(refusalsOfTools(said(message), sent, status).map(refusedToolIn)).toEqual(names);
});
