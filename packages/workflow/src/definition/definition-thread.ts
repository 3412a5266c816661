import { parentPort } from "node:worker_threads";
import { recently } from "../threads/recently.ts";
import type { FromDefinitionThread, ToDefinitionThread } from "./definition-messages.ts";
import { readInputSchema } from "./input-schema.ts";
import { readWorkflow } from "./read-workflow.ts";

/** Time to compile the schema of a stored definition, milliseconds. Long, so that an accepted schema compiles on a busy machine too. */
const storedCompileMs = 5_000;

/** The program of the definition thread. It caches the checks, or the problems, of the latest schemas. */
const schemaOf = recently(50, (schema) => readInputSchema(JSON.parse(schema) as object, storedCompileMs));

function answer(asked: ToDefinitionThread): FromDefinitionThread {
  if (asked.type === "read") {
    const { source, agents } = asked;
    const { workflow, problems } = readWorkflow(source, agents && { agents });
    return workflow ? { definition: workflow.definition, problems } : { problems };
  }
  const { check, problems } = schemaOf(asked.schema);
  return { problems: check ? check(JSON.parse(asked.input)) : problems };
}

parentPort?.on("message", (asked: ToDefinitionThread) => parentPort?.postMessage({ answer: answer(asked) }));
