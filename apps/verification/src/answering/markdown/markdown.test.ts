import { describe, expect, test } from "vitest";
import { composeAnswer, introduced, longestMessage } from "./compose-answer.ts";

const nobody = new Set<string>();

const answer = { status: "success", response_text: "Rome" } as const;

describe("compose answer", () => {
  test("an answer of more than five messages becomes its first part and a file with the whole answer", () => {
    const text = "A line of an answer that goes on and on.\n".repeat(2_000);
    const { parts, file } = composeAnswer(text, nobody);
    expect(parts).toHaveLength(1);
    expect(file?.content).toBe(text);
    expect(`${parts[0]}${file?.attached}`).toMatch(/\.\n+_This is only the beginning: .*file below\._$/);
    expect(file?.notAttached).toMatch(/7\d,\d{3} of 82,000 characters are missing/);
    expect(`${parts[0]}${file?.notAttached}`.length).toBeLessThanOrEqual(longestMessage);
  });

  test("a link whose label names a different host shows both hosts", () => {
    expect(composeAnswer("[https://bank.example](https://evil.example)", new Set()).parts).toEqual([
      "[https://bank.example](https://evil.example) (evil.example)",
    ]);
  });

  test("a link that was within code until the answer was cut into messages shows both hosts", () => {
    const lie = "[https://bank.example](https://evil.example)";
    const { parts } = composeAnswer(`\`${"word ".repeat(2_500)}${lie}\``, nobody);
    expect(parts).toHaveLength(2);
    expect(parts[1]).toContain(`${lie} (evil.example)`);
  });
});

describe("introduced", () => {
  test("I6: an answer names its agent, unless that is the default agent or a workflow", () => {
    expect(introduced({ ...answer, agent: "scout", default_agent: false }, "Rome")).toEqual({
      name: "**scout**",
      text: "Rome",
    });
    expect(introduced({ ...answer, agent: "builtin", default_agent: true }, "Rome")).toEqual({
      name: "",
      text: "Rome",
    });
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
});
