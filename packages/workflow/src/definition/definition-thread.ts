import { parentPort } from "node:worker_threads";
import { recently } from "../store/recently.ts";
import type { FromDefinitionThread, ToDefinitionThread } from "./definition-messages.ts";
import { readInputSchema } from "./input-schema.ts";
import { readWorkflow } from "./read-workflow.ts";

/** How long the schema of a stored definition may take, milliseconds: what was accepted stays so when the machine is busy. */
const storedCompileMs = 5_000;

/** What the thread of definitions runs. It keeps the checks, or the verdicts, of the schemas that it was asked for last. */
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
