import { basename, resolve } from "node:path";
import { expect, test } from "vitest";
import { readWorkflowFiles } from "../workflow-files.ts";
import { readWorkflow } from "./read-workflow.ts";

const folder = resolve(import.meta.dirname, "../../../../examples/workflows");
const examples = (await readWorkflowFiles(folder)).map(({ path, value }) => ({ file: basename(path), value }));
const inputs: Readonly<Record<string, unknown>> = {
  "loop.json": { texts: ["one", "two"] },
  "review.yaml": { paragraphs: ["One.", "Two."] },
};
const agents = ["proofreader", "keywords", "fingerprint"];

test.each(examples)(
  "B22: our validator accepts our own example $file with only the sample agents",
  ({ file, value }) => {
    const { problems, workflow } = readWorkflow(value, { agents });
    expect(problems).toEqual([]);
    expect(workflow?.checkInput(inputs[file] ?? { text: "Some text." })).toEqual([]);
    expect(workflow?.checkInput({})).toEqual([expect.objectContaining({ message: "is missing" })]);
  },
);

test("the examples show every step type, and each workflow has its own name", () => {
  const definitions = examples.flatMap(({ value }) => readWorkflow(value).workflow?.definition ?? []);
  const types = definitions.flatMap(({ steps }) => Object.values(steps).map((step) => step?.type));
  expect(new Set(types)).toEqual(new Set(["agent", "conditional", "fork_join", "loop", "parallel"]));
  expect(new Set(definitions.map(({ workflow_id: id }) => id)).size).toBe(examples.length);
});
