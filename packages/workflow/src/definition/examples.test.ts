import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readWorkflow } from "./read-workflow.ts";

const folder = resolve(import.meta.dirname, "../../../../examples/workflows");
const examples = globSync("*.json", { cwd: folder }).toSorted();
const read = (file: string): unknown => JSON.parse(readFileSync(resolve(folder, file), "utf8"));
const agents = ["proofreader", "keywords", "fingerprint"];

test.each(examples)("B22: our validator takes our own example %s, with the sample agents alone", (file) => {
  const { problems, workflow } = readWorkflow(read(file), { agents });
  expect(problems).toEqual([]);
  const input = file === "loop.json" ? { texts: ["one", "two"] } : { text: "Some text." };
  expect(workflow?.checkInput(input)).toEqual([]);
  expect(workflow?.checkInput({})).toEqual([expect.objectContaining({ message: "is missing" })]);
});

test("the examples show every type of step, each in a workflow with a name of its own", () => {
  const definitions = examples.flatMap((file) => readWorkflow(read(file)).workflow?.definition ?? []);
  const types = definitions.flatMap(({ steps }) => Object.values(steps).map((step) => step?.type));
  expect(new Set(types)).toEqual(new Set(["agent", "conditional", "fork_join", "loop", "parallel"]));
  expect(new Set(definitions.map(({ workflow_id: id }) => id)).size).toBe(examples.length);
});
