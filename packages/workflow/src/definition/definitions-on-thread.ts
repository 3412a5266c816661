import type { ParamProblem } from "@crosszone/contracts";
import { startThread } from "@crosszone/service-kit";
import { createRequestThread } from "../threads/request-thread.ts";
import type { FromDefinitionThread, ToDefinitionThread } from "./definition-thread.ts";
import type { ReadWorkflowOptions } from "./read-workflow.ts";

/** Enough for a definition of 1 MB with a schema of 64 KB. A thread that needs more ends; the process continues. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

const request = createRequestThread<ToDefinitionThread, FromDefinitionThread>({
  start: () => startThread(import.meta.url, "./definition-thread", { resourceLimits }),
  answerMs: 15_000,
});

/** Number of remembered schemas that ended the thread. */
const mostEnded = 50;
const ended = new Map<string, readonly ParamProblem[]>();

/** Reads a definition like `readWorkflow`, on a separate thread, so that no definition blocks or ends the process. Never throws. */
export async function readOnThread(source: unknown, { agents }: ReadWorkflowOptions): Promise<FromDefinitionThread> {
  try {
    return await request({ type: "read", source, agents: agents && [...agents] });
  } catch (error) {
    return { problems: [problemOf(error, "make the definition smaller, starting with input_schema")] };
  }
}

/** Returns the problems of an input, found on the same thread. A schema that ended the thread is not tried again. Never throws. */
export async function checkInputOnThread(schema: object, input: unknown): Promise<readonly ParamProblem[]> {
  const text = JSON.stringify(schema);
  const known = ended.get(text);
  if (known) return known;
  try {
    return (await request({ type: "check_input", schema: text, input: JSON.stringify(input) })).problems;
  } catch (error) {
    const problems = [problemOf(error, "store a version with a smaller input_schema")];
    ended.set(text, problems);
    for (const [oldest] of ended) if (ended.size > mostEnded) ended.delete(oldest);
    return problems;
  }
}

const problemOf = (error: unknown, advice: string): ParamProblem => ({
  pointer: "",
  message: `cannot be checked: it ${(error as Error).message}; ${advice}`,
});
