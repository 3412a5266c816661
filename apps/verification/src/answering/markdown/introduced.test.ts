import { expect, test } from "vitest";
import { introduced } from "./compose-answer.ts";

const answer = { status: "success", response_text: "Rome" } as const;

test("I6: an answer names its agent, unless that is the default agent or a workflow", () => {
  expect(introduced({ ...answer, agent: "scout", default_agent: false }, "Rome")).toBe("**scout**\n\nRome");
  expect(introduced({ ...answer, agent: "builtin", default_agent: true }, "Rome")).toBe("Rome");
  expect(introduced({ ...answer, agent: "scout" }, "Rome")).toBe("Rome");
  const ofRun = { ...answer, agent: "publish", default_agent: false };
  expect(introduced(ofRun, "Rome", { isWorkflow: true })).toBe("Rome");
  const said = { ...answer, agent: "*evil*\n# x", default_agent: false };
  expect(introduced(said, "Rome").split("\n")).toHaveLength(3);
});

test("I4: a question to the person says how to answer it", () => {
  expect(introduced({ ...answer, awaits: "input" }, "Which city?")).toBe(
    "Which city?\n\n_Reply in this thread to answer._",
  );
  expect(introduced({ ...answer, awaits: "authorization" }, "Sign in.")).toMatch(/to continue\._$/);
});
