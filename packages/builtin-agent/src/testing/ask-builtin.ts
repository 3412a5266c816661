import type { RunContext, TaskInput } from "../skill.ts";
import { createBuiltinAgent } from "../builtin-agent.ts";

/** Friday noon, UTC. */
export const NOON: Date = new Date("2026-11-20T12:00:00Z");

/** For tests without files. */
export const noFile: RunContext["readFile"] = async () => {
  throw new Error("There are no files here.");
};

/** Runs the built-in agent on one message at `NOON`, for tests. */
export async function run(text: string, input: Partial<TaskInput> = {}, readFile: RunContext["readFile"] = noFile) {
  const task = { text, thread: [], attachments: [], ...input };
  return createBuiltinAgent().run(task, { signal: new AbortController().signal, now: () => NOON, readFile });
}

/** The same, but returns only the answer's text. */
export async function ask(
  text: string,
  input?: Partial<TaskInput>,
  readFile?: RunContext["readFile"],
): Promise<string> {
  return (await run(text, input, readFile)).response_text;
}
