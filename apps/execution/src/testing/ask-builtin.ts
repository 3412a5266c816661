import type { AgentAnswer, AgentTaskInput } from "../agents/agent.ts";
import { createBuiltinAgent } from "../agents/builtin/builtin-agent.ts";

/** Friday noon, UTC. */
export const NOON: Date = new Date("2026-11-20T12:00:00Z");

/** Runs the built-in agent on one message at `NOON`, for tests. */
export async function run(text: string, input: Partial<AgentTaskInput> = {}): Promise<AgentAnswer> {
  const task = { task_id: "t1", correlation_id: "c1", text, thread: [], attachments: [], ...input };
  return createBuiltinAgent().run(task, { signal: new AbortController().signal, now: () => NOON });
}

/** The same, the answer's text only. */
export async function ask(text: string, input: Partial<AgentTaskInput> = {}): Promise<string> {
  return (await run(text, input)).response_text;
}
