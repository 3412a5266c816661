import { randomUUID } from "node:crypto";
import type * as Builtin from "@crosszone/builtin-agent";
import type { Agent } from "@crosszone/execution";
import { withCalls } from "./calling-agent.ts";
import { withRecitals } from "./with-recitals.ts";

/** The module that this one replaces. `use-stand-ins.ts` puts it into this module's URL. */
const original = new URL(import.meta.url).searchParams.get("for") ?? "";
const { createBuiltinAgent: createOriginal } = (await import(original)) as typeof Builtin;

/** Calls the tool of the run, which answers after a while. */
const act = (text: string): Promise<Response> =>
  fetch(`${process.env["AGENT_ORIGINS"]}/tool`, {
    method: "POST",
    headers: { "idempotency-key": randomUUID() },
    body: JSON.stringify({ task_id: text, input: { text } }),
  });

/** Returns the built-in agent, which also recites, and calls a tool. */
export const createBuiltinAgent = (): Agent => withCalls(withRecitals(createOriginal()), act);
