import { parentPort } from "node:worker_threads";
import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import { recently } from "../threads/recently.ts";
import { readInputSchema } from "./input-schema.ts";
import { readWorkflow } from "./read-workflow.ts";

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
