import { hash } from "node:crypto";
import type { ParamProblem } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { ComputationTimeoutError } from "../within-time.ts";
import type { ReadWorkflow, ReadWorkflowOptions } from "./read-workflow.ts";
import { createRequestThread, type RequestBy } from "./request-thread.ts";

/** Starts of runs never wait for definitions: a bad definition takes seconds, and stored ones were judged before. */
const [definitions, inputs] = [createRequestThread(50), createRequestThread(1_000)];

/** The problems of schemas that took too long or ended the thread, by digest. They are not tried again. */
const known = new Map<string, readonly ParamProblem[]>();
const mostKnown = 50;

const digestOf = (purpose: string, schema: unknown): string =>
  hash("sha256", `${purpose} ${JSON.stringify(schema)}`, "base64url");

function remember(digest: string, problems: readonly ParamProblem[]): readonly ParamProblem[] {
  known.set(digest, problems);
  for (const [oldest] of known) if (known.size > mostKnown) known.delete(oldest);
  return problems;
}

/**
 * Reads a definition like `readWorkflow`, on a separate thread, so that no definition blocks or ends the process. Throws a ZoneError
 * `rate_limited` when too many wait, or too many of the caller, and the signal's reason when it is aborted while it waits.
 */
export async function readOnThread(
  source: unknown,
  options: ReadWorkflowOptions,
  by?: RequestBy,
): Promise<ReadWorkflow> {
  const digest = digestOf("definition", ownMember(source, "input_schema"));
  const before = known.get(digest);
  if (before) return { problems: before };
  try {
    const read = await definitions({ type: "read", source, ...options }, by);
    const slow = read.problems.filter(({ message }) => message.startsWith("took longer than"));
    if (slow.length > 0) remember(digest, slow);
    return read;
  } catch (error) {
    if (!(error instanceof ComputationTimeoutError)) throw error;
    return { problems: [problemOf(error, "make the definition smaller, starting with input_schema")] };
  }
}

/** Returns the problems of an input, found on another thread. Throws like `readOnThread`. */
export async function checkInputOnThread(
  schema: object,
  input: unknown,
  by?: RequestBy,
): Promise<readonly ParamProblem[]> {
  const digest = digestOf("input", schema);
  const before = known.get(digest);
  if (before) return before;
  try {
    const request = { type: "check_input", schema: JSON.stringify(schema), input: JSON.stringify(input) } as const;
    return (await inputs(request, by)).problems;
  } catch (error) {
    if (!(error instanceof ComputationTimeoutError)) throw error;
    return remember(digest, [problemOf(error, "store a version with a smaller input_schema")]);
  }
}

const problemOf = (error: Error, advice: string): ParamProblem => ({
  pointer: "",
  message: `cannot be checked: it ${error.message}; ${advice}`,
});
