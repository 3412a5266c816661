import { join } from "node:path";
import { pythonOf } from "../../harness/python-of.ts";
import { run } from "../run-command.ts";

const requirements = join(import.meta.dirname, "../interop/agents");

/** Asks the sample agent of docs/quickstart/write-an-agent.md everything, with the official Python client of a version. */
export async function askWithPythonClient(version: "1" | "03", url: string): Promise<unknown> {
  const python = await pythonOf(join(requirements, `requirements-${version}.txt`));
  const client = join(import.meta.dirname, `clients/client_${version}.py`);
  return JSON.parse(await run(python, [client, url], { cwd: requirements })) as unknown;
}

const done = { state: "completed", says: "", text: "One word after another.", files: [] };

/** What every kit's sample agent answers. */
export const sampleAnswers = {
  hello: done,
  file: { ...done, files: [["hello.txt", "text/plain", "Hello"]] },
  fail: { state: "failed", says: "This question always fails.", text: "", files: [] },
  ask: { state: "input-required", says: "Which color do you like?", text: "", files: [] },
  answered: { ...done, text: "You like blue. One word after another." },
  canceled: { state: "canceled", says: "", text: "", files: [] },
  slow: done,
  progress: ["Thinking…", ""],
  pieces: ["One ", "word ", "after ", "another."],
};
