import { hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import { startThread } from "@crosszone/service-kit";
import { ownMember } from "@crosszone/service-kit/json";
import { readInputSchema } from "./input-schema.ts";
import { type ReadWorkflowOptions, readWorkflow } from "./read-workflow.ts";
import { recently, TimeLimitError } from "../threads/within-time.ts";
import { createRequestThread } from "../threads/request-thread.ts";

/** Enough for a definition of 1 MB with a schema of 64 KB. A thread that needs more ends; the process continues. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

const newThread = (mostWaiting: number) =>
  createRequestThread<ToDefinitionThread, FromDefinitionThread>({
    start: () => startThread(import.meta.url, "./definition-thread", { resourceLimits }),
    answerMs: 15_000,
    mostWaiting,
  });

/** Starts of runs never wait for definitions: a bad definition takes seconds, and stored ones were judged before. */
const [definitions, inputs] = [newThread(50), newThread(1_000)];

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
 * `rate_limited` when too many wait, and the signal's reason when it is aborted before its turn.
 */
export async function readOnThread(
  source: unknown,
  { agents }: ReadWorkflowOptions,
  signal?: AbortSignal,
): Promise<FromDefinitionThread> {
  const digest = digestOf("definition", ownMember(source, "input_schema"));
  const before = known.get(digest);
  if (before) return { problems: before };
  try {
    const read = await definitions({ type: "read", source, agents: agents && [...agents] }, signal);
    const slow = read.problems.filter(({ message }) => message.startsWith("took longer than"));
    if (slow.length > 0) remember(digest, slow);
    return read;
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return { problems: [problemOf(error, "make the definition smaller, starting with input_schema")] };
  }
}

/** Returns the problems of an input, found on another thread. Throws like `readOnThread`. */
export async function checkInputOnThread(
  schema: object,
  input: unknown,
  signal?: AbortSignal,
): Promise<readonly ParamProblem[]> {
  const digest = digestOf("input", schema);
  const before = known.get(digest);
  if (before) return before;
  try {
    const request = { type: "check_input", schema: JSON.stringify(schema), input: JSON.stringify(input) } as const;
    return (await inputs(request, signal)).problems;
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return remember(digest, [problemOf(error, "store a version with a smaller input_schema")]);
  }
}

const problemOf = (error: Error, advice: string): ParamProblem => ({
  pointer: "",
  message: `cannot be checked: it ${error.message}; ${advice}`,
});

/** Messages to the definition thread. */
export type ToDefinitionThread =
  | { readonly type: "read"; readonly source: unknown; readonly agents: readonly string[] | undefined }
  /** Both as JSON. */
  | { readonly type: "check_input"; readonly schema: string; readonly input: string };

/** A valid definition, or the problems of the definition or the input. */
export interface FromDefinitionThread {
  readonly definition?: WorkflowDefinition;
  readonly problems: readonly ParamProblem[];
  readonly warnings?: readonly ParamProblem[];
}

/** Time to compile the schema of a stored definition, milliseconds. Long, so that an accepted schema compiles on a busy machine too. */
const storedCompileMs = 5_000;

/** The program of the definition thread. It caches the checks, or the problems, of the latest schemas. */
const schemaOf = recently(50, (schema) => readInputSchema(JSON.parse(schema) as object, storedCompileMs));

function answer(request: ToDefinitionThread): FromDefinitionThread {
  if (request.type === "read") {
    const { source, agents } = request;
    const { workflow, ...found } = readWorkflow(source, agents && { agents });
    return workflow ? { definition: workflow.definition, ...found } : found;
  }
  const { check, problems } = schemaOf(request.schema);
  return { problems: check ? check(JSON.parse(request.input)) : problems };
}

parentPort?.on("message", (request: ToDefinitionThread) => parentPort?.postMessage({ answer: answer(request) }));
