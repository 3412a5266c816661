import { expect, test } from "vitest";
import { introduced } from "./compose-answer.ts";

const answer = { status: "success", response_text: "Rome" } as const;

test("I6: an answer names its agent, unless that is the default agent or a workflow", () => {
  expect(introduced({ ...answer, agent: "scout", default_agent: false }, "Rome")).toEqual({
    name: "**scout**",
    text: "Rome",
  });
  expect(introduced({ ...answer, agent: "builtin", default_agent: true }, "Rome")).toEqual({ name: "", text: "Rome" });
  expect(introduced({ ...answer, agent: "scout" }, "Rome")).toEqual({ name: "", text: "Rome" });
  const ofRun = { ...answer, agent: "publish", default_agent: false };
  expect(introduced(ofRun, "Rome", { isWorkflow: true }).name).toBe("");
  const said = { ...answer, agent: "*evil*\n# x", default_agent: false };
  expect(introduced(said, "Rome").name).toBe(String.raw`**\*evil\* # x**`);
});

test("I4: a question to the person says how to answer it", () => {
  expect(introduced({ ...answer, awaits: "input" }, "Which city?").text).toBe(
    "Which city?\n\n_Reply in this thread to answer._",
  );
  expect(introduced({ ...answer, awaits: "authorization" }, "Sign in.").text).toMatch(/to continue\._$/);
});
