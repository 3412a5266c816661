import { expect, test } from "vitest";
import { createPrompter } from "./create-prompter.ts";
import { finish, scriptedModel, text } from "./testing/ask-assistant.ts";

test.each([
  ["a half answer", [...text("Half an"), finish("other")], "interrupted"],
  ["an answer at the limit", [...text("Half an"), finish("length")], "output_limit"],
  ["a refusal", [finish("content-filter")], "refused"],
  ["nothing", [finish()], "no_answer"],
])("%s is no output of a prompt", async (_what, script, reason) => {
  const prompter = createPrompter({ model: scriptedModel(script), limits: { attempts: 1 }, emit: () => undefined });
  const spending = { reserve: async () => ({ recordUse: async () => undefined }) };
  const context = { signal: new AbortController().signal, spending };
  await expect(prompter({ prompt: "Count" }, context)).rejects.toMatchObject({ reason });
});
