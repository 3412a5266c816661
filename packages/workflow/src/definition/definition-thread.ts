import { parentPort } from "node:worker_threads";
import { recently } from "../within-time.ts";
import { readInputSchema } from "./input-schema.ts";
import { readWorkflow, type ReadWorkflow, type ReadWorkflowOptions } from "./read-workflow.ts";

/** Messages to the definition thread. */
export type ToDefinitionThread =
  | ({ readonly type: "read"; readonly source: unknown } & ReadWorkflowOptions)
  /** As JSON. */
  | { readonly type: "check_schema"; readonly schema: string }
  | { readonly type: "check_input"; readonly schema: string; readonly input: string };

/** Time to compile the schema of a stored definition, milliseconds. Long, so that an accepted schema compiles on a busy machine too. */
const storedCompileMs = 5_000;

/** The program of the definition thread. It caches the checks, or the problems, of the latest schemas. */
const schemaOf = recently(50, (schema) => readInputSchema(JSON.parse(schema) as object, storedCompileMs));

/** Returns what `readWorkflow` returns, or the problems of a schema or an input. */
function answer(request: ToDefinitionThread): ReadWorkflow {
  if (request.type === "read") return readWorkflow(request.source, request);
  if (request.type === "check_schema")
    return { problems: readInputSchema(JSON.parse(request.schema) as object).problems ?? [] };
  const { check, problems } = schemaOf(request.schema);
  return { problems: check ? check(JSON.parse(request.input)) : problems };
}

parentPort?.on("message", (request: ToDefinitionThread) => parentPort?.postMessage({ answer: answer(request) }));
