// inputs: schemas/** packages/contracts/** tests/full/languages/**
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readContract, readCorpus, type TypedCase } from "@crosszone/contracts/corpus";
import { pythonOf } from "../../harness/install-once.ts";
import { repoDir } from "../release-copy.ts";
import { run } from "../run-command.ts";

const schemasDir = join(repoDir, "schemas");
const programs = import.meta.dirname;
const { schemas, types } = readContract();
const cases = readCorpus(types);
const expected = cases.map(({ id, valid }) => `${id} ${valid ? "valid" : "invalid"}`);

let dir: string;
let python: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "crosszone-languages-"));
  python = await pythonOf(join(programs, "python/requirements.txt"));
}, 300_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("each case is valid or invalid in Python, with jsonschema, as its file says", async () => {
  const verdicts = await judge(python, [join(programs, "python/check.py"), schemasDir]);
  expect(verdicts).toEqual(expected);
});

test("each case is valid or invalid in Go, with santhosh-tekuri/jsonschema, as its file says", async () => {
  const program = join(dir, "check");
  await run("go", ["build", "-o", program, "."], { cwd: join(programs, "go") }).catch((cause: unknown) => {
    throw new Error("The contract in Go needs Go 1.26 or newer. Install it.", { cause });
  });
  const verdicts = await judge(program, [schemasDir]);
  expect(verdicts).toEqual(expected);
});

test("datamodel-code-generator makes models of all schemas, and Python imports them", async () => {
  const input = join(dir, "schemas");
  for (const path of schemas.keys()) cpSync(join(schemasDir, path), join(input, path));
  const options = ["--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel"];
  const command = ["--input", input, "--output", join(dir, "models"), ...options];
  await run(join(dirname(python), "datamodel-codegen"), command, { cwd: dir });
  const modules = globSync("models/**/*.py", { cwd: dir })
    .map((path) => path.replace(/(\/__init__)?\.py$/, "").replaceAll("/", "."))
    .toSorted();
  expect(modules.length).toBeGreaterThanOrEqual(schemas.size);
  const program = `import importlib\nfor name in ${JSON.stringify(modules)}: importlib.import_module(name)`;
  await run(python, ["-c", program], { cwd: dir });
});

/** Returns a program's verdict on each case, in the order of the corpus. */
async function judge(program: string, args: string[]): Promise<string[]> {
  const lines = [...new Set(cases.map(lineOf))];
  const output = await new Promise<string>((done, fail) => {
    const child = execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
      error ? fail(error) : done(stdout),
    );
    child.stdin?.end(lines.join(""));
  });
  return output.trim().split("\n");
}

/** Returns a line for the programs: the path of a schema, a tab, its $id or $ref. */
function lineOf({ schema, type }: TypedCase): string {
  const [file = "", pointer] = type.ref.split("#");
  return `${schema}\t${[schemas.get(file)?.$id, pointer].filter(Boolean).join("#")}\n`;
}
