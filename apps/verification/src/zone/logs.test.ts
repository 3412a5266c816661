import { ZoneError } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import { directMessage, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

type Line = Record<string, unknown>;
const named = (event: string): Line[] => app.logs.filter((line) => line["event"] === event);

async function ask(text: string): Promise<void> {
  app = await startTestApp();
  app.zone.on("execute_task", ({ text: asked }) => {
    if (asked.includes("fail")) throw new ZoneError("agent_failed", { task_id: "task-12345678" });
    return { status: "success", response_text: "the secret answer" };
  });
  await app.deliver(directMessage(text, { files: [{ id: "F1", name: "private-name.txt" }] }));
  await vi.waitFor(() => expect(named("answer_posted")).toHaveLength(1));
}

describe("the log of one question", () => {
  test("E5: an error is logged once, with task, operation, kind and code", async () => {
    await ask("please fail");
    const errors = app.logs.filter(({ level }) => level === "error" || level === "warn");
    expect(errors).toMatchObject([
      { event: "task_failed", operation: "answer_question", kind: "agent_failed", code: -32011 },
    ]);
    expect(named("rpc_answered").find(({ operation }) => operation === "execute_task")).toMatchObject({
      level: "info",
      outcome: "agent_failed",
      code: -32011,
    });
  });

  test("contains no message text, no file name, no handle", async () => {
    await ask("my private words");
    const everything = JSON.stringify(app.logs);
    const handle = String(app.zone.params("execute_task")[0]?.["bot_token"]);
    for (const secret of ["private", "secret answer", handle, handle.slice(4)])
      expect(everything).not.toContain(secret);
  });
});
