import type { ThreadMessage } from "@crosszone/contracts";
import { Template } from "@huggingface/jinja";
import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { askAssistant, sse, wireModels } from "../testing/ask-assistant.ts";

afterEach(() => void vi.unstubAllGlobals());

/** The rules that chat templates of models have about roles. Each begins the message that it refuses with. */
const rules: Readonly<Record<string, string>> = {
  // After an optional system message, users and assistants take turns.
  Mistral: `
    {%- set rest = messages[1:] if messages[0].role == "system" else messages -%}
    {%- for message in rest -%}
      {%- if (message.role == "user") != (loop.index0 % 2 == 0) -%}
        {{- raise_exception("After the optional system message, conversation roles must alternate") -}}
      {%- endif -%}
      [{{ message.role }}]{{ message.content }}
    {%- endfor -%}`,
  // There is no system message.
  "Mistral of 2023": `
    {%- for message in messages -%}
      {%- if (message.role == "user") != (loop.index0 % 2 == 0) -%}
        {{- raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") -}}
      {%- endif -%}
      {{- message.role }}: {{ message.content }}
    {%- endfor -%}`,
  Gemma: `
    {%- if messages[0].role == "system" -%}{{- raise_exception("System role not supported") -}}{%- endif -%}
    {%- for message in messages -%}
      {%- if (message.role == "user") != (loop.index0 is even) -%}
        {{- raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") -}}
      {%- endif -%}
      <turn>{{ "model" if message.role == "assistant" else message.role }} {{ message.content | trim }}</turn>
    {%- endfor -%}`,
  // A template that adds texts: a list of parts is no text.
  Llama: `
    {%- set system = messages[0].content if messages[0].role == "system" else "" -%}
    {%- for message in messages -%}
      {%- if message.content is not string -%}{{- raise_exception("content must be a string") -}}{%- endif -%}
      {%- if message.role == "user" and loop.index0 > 0 and messages[loop.index0 - 1].role == "user" -%}
        {{- raise_exception("Two user messages in a row") -}}
      {%- endif -%}
      {{- "<|" + message.role + "|>" + message.content -}}
    {%- endfor -%}`,
  Qwen: `
    {%- for message in messages -%}
      {%- if message.role == "system" and not loop.first -%}{{- raise_exception("System message must be at the beginning.") -}}{%- endif -%}
      <|im_start|>{{ message.role }}{{ message.content }}
    {%- endfor -%}
    {%- if messages[-1].role != "user" -%}{{- raise_exception("No user query found in messages.") -}}{%- endif -%}`,
};

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Replaces the network by a server that applies a model's template, and refuses what it refuses. */
function serve(template: string): string[] {
  const rendered: string[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { readonly body: string }) => {
    try {
      rendered.push(new Template(template).render({ messages: (JSON.parse(body) as Asked).messages }));
    } catch (error) {
      return Response.json({ error: { message: (error as Error).message, code: 400 } }, { status: 400 });
    }
    return new Response(sse({ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }));
  });
  return rendered;
}

const message = fc.constantFrom<Partial<ThreadMessage>>(
  { user: "U1" },
  { user: "U2", name: "Bob" },
  { app: true, name: "Grafana" },
  { bot: true },
  { bot: true, files: [{ name: "a.csv", mime_type: "text/csv" }] },
  { user: "U1", has_quotes: true },
);
const threads = fc
  .array(message, { maxLength: 6 })
  .map((all) => all.map((one, at): ThreadMessage => ({ text: `Words ${at}.`, ...one })));

const models = Object.entries(rules);

test.each(models)(
  "J16: %s takes every thread, with all words in order, and each word keeps its author",
  async (_name, template) => {
    const rendered = serve(template);
    const model = await wireModels["openai-compatible"]("https://model.example");
    await fc.assert(
      fc.asyncProperty(threads, fc.option(fc.constant("Ann"), { nil: undefined }), async (thread, userName) => {
        const { answer, error } = await askAssistant(model, { question: { thread, text: "The question.", userName } });
        expect([answer?.text, error]).toEqual(["ok", undefined]);
        const words = [...(rendered.at(-1) ?? "").matchAll(/Words \d|The question/g)].map(([found]) => found);
        expect(words).toEqual([...thread.map((_one, at) => `Words ${at}`), "The question"]);
      }),
      { numRuns: 25 },
    );
  },
);

test("J16: in a joined message each part says whose it is", async () => {
  const rendered = serve(rules["Qwen"] ?? "");
  const thread = [
    { text: "Mine", user: "U1" },
    { text: "Bob's", user: "U2", name: "Bob" },
    { text: "Mine again", user: "U1" },
    { text: "First", bot: true },
    { text: "Second", bot: true },
    { text: "Carl's", user: "U3", name: "Carl" },
  ];
  for (const userName of ["Ann", undefined])
    await askAssistant(await wireModels["openai-compatible"]("https://model.example"), {
      question: { thread, text: "Why?", userName },
    });
  const turns = rendered.map((text) =>
    text
      .split("<|im_start|>")
      .slice(2)
      .map((turn) => turn.trim()),
  );
  expect(turns[0]).toEqual([
    "userMine\n\n[Message of Bob]\nBob's\n\n[Message of the person who asks]\nMine again",
    "assistantFirst\n\nSecond",
    "user[Message of Carl]\nCarl's\n\n[Ann asks]\nWhy?",
  ]);
  expect(turns[1]?.at(-1)).toBe("user[Message of Carl]\nCarl's\n\n[The person asks]\nWhy?");
});
