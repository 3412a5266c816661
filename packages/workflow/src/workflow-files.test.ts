// suite: both
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { type AppliedWorkflows, applyWorkflowFiles, readWorkflowFiles } from "./workflow-files.ts";
import { openExecutor } from "./testing/executors-under-test.ts";
import { agentStep, workflowOf } from "./testing/workflow-of.ts";

const examples = resolve(import.meta.dirname, "../../../examples/workflows");

const json = (version: string, title = "Ask"): string =>
  JSON.stringify(workflowOf([agentStep("ask", { title })], { version }), null, "\t");

const yaml = `# A workflow of one step
workflow_id: w
name: W
version: "2"
start_step: ask
steps:
  ask:
    id: ask
    agent_name: ask-agent
    input_mapping: ask
`;

onBothEngines("a folder of workflows", (newDatabase) => {
  const start = async (agents: readonly string[] = ["ask-agent"]) => {
    const { workflows } = await openExecutor(await newDatabase(), { agentNames: async () => agents, isStarted: false });
    const apply = async (files: Readonly<Record<string, string>>): Promise<AppliedWorkflows> =>
      applyWorkflowFiles(workflows, tempFolder(files));
    const refused = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
      const error = await apply(files).then(
        () => expect.fail("the files were taken"),
        (reason: unknown) => reason as FileProblemsError,
      );
      expect(error).toBeInstanceOf(FileProblemsError);
      return error.message.split("\n").map((line) => line.replaceAll(/\/[^ ]*\/(?=[\w-]+\.\w+)/g, ""));
    };
    return { workflows, apply, refused };
  };

  test("JSON and YAML files are stored in name order; unchanged files are skipped, and other files ignored", async () => {
    const { workflows, apply } = await start();
    const files = { "a.json": json("1"), "b.yml": yaml, "README.md": "{", "c.yaml.bak": "{" };
    expect(await apply(files)).toEqual({ created: ["w 1", "w 2"], kept: [] });
    expect(await workflows.get("w")).toMatchObject({ version: "2", definition: { steps: { ask: { type: "agent" } } } });
    expect(await apply(files)).toEqual({ created: [], kept: ["w 1", "w 2"] });
    expect(await apply({ "c.json": json("3") })).toEqual({ created: ["w 3"], kept: [] });
    expect(await workflows.get("w", "1")).toBeDefined();
  });

  test("all problems in all files are reported at once, by file, line and member, and nothing is stored", async () => {
    const { workflows, refused } = await start();
    const lost = yaml.replace("ask-agent", "nobody").replace("start_step: ask", "start_step: gone");
    expect(await refused({ "a.json": json("1"), "b.yaml": lost, "c.yaml": yaml.replace("name: W\n", "") })).toEqual([
      "b.yaml:5:1: /start_step names an unknown step: gone; the steps are ask",
      "b.yaml:9:5: /steps/ask/agent_name is not a registered agent; registered are ask-agent",
      "c.yaml:2:1: /name is missing",
      "c.yaml:3:1: /version is also the version in b.yaml",
    ]);
    expect(await workflows.get("w")).toBeUndefined();
  });

  test("a version with different content than the stored one is refused, and the stored one stays", async () => {
    const { workflows, apply, refused } = await start();
    await apply({ "a.json": json("1") });
    expect(await refused({ "a.json": json("1", "Ask again") })).toEqual([
      "a.json:4:2: /version conflicts with the stored w 1, which can't be changed; set another version in this file, or revert the change",
    ]);
    expect(await workflows.get("w")).toMatchObject({ definition: { steps: { ask: { title: "Ask" } } } });
  });

  test("a stored version stays valid after its agent was removed, and the zone starts", async () => {
    const agents = ["ask-agent"];
    const { apply } = await start(agents);
    await apply({ "a.json": json("1") });
    agents.pop();
    expect(await apply({ "a.json": json("1") })).toEqual({ created: [], kept: ["w 1"] });
  });
});

test("the JSON examples are read as JSON", async () => {
  const files = (await readWorkflowFiles(examples)).filter(({ path }) => path.endsWith(".json"));
  expect(files.length).toBeGreaterThan(4);
  for (const { path, value } of files) expect(value).toEqual(JSON.parse(await readFile(path, "utf8")));
});

test("a folder whose files are symbolic links is read, and hidden files are ignored", async () => {
  const folder = tempFolder({ "._a.json": "\u0000", ".b.yaml.swp": "{" });
  await mkdir(join(folder, "..2026_data"));
  await writeFile(join(folder, "..2026_data", "a.json"), json("1"));
  await symlink("..2026_data", join(folder, "..data"));
  await symlink("..data/a.json", join(folder, "a.json"));
  await symlink("/nowhere", join(folder, ".#b.yaml"));
  expect((await readWorkflowFiles(folder)).map(({ path }) => basename(path))).toEqual(["a.json"]);
  expect(await readWorkflowFiles(tempFolder({}))).toEqual([]);
});

test("each file that is neither JSON nor YAML is reported, and a missing folder's error says what to do", async () => {
  const files = { "a.json": '{"steps": ', "b.yaml": "a: 1\na: 2\n", "c.json": "{}", "g.json": " ".repeat(4_000_001) };
  const folder = tempFolder(files);
  await mkdir(join(folder, "d.yaml"));
  await writeFile(join(folder, "e.yaml"), Buffer.from("name: Größe", "latin1"));
  await promisify(execFile)("mkfifo", [join(folder, "f.yaml")]);
  const error = await readWorkflowFiles(folder).then(
    () => expect.fail("the files were read"),
    (reason: unknown) => reason as FileProblemsError,
  );
  expect(error.message.split("\n")).toEqual([
    expect.stringContaining("a.json:1:11: "),
    expect.stringContaining("b.yaml:2:1: the key is already in this map: remove one of the two"),
    expect.stringContaining(
      "d.yaml:1:1: the file of a workflow is not a regular file: create one, or set another path",
    ),
    expect.stringContaining("e.yaml:1:1: the file of a workflow is not UTF-8: save it as UTF-8"),
    expect.stringContaining("f.yaml:1:1: the file of a workflow is not a regular file"),
    expect.stringContaining("g.json:1:1: the file of a workflow is too large: the limit is 4,000,000 bytes"),
  ]);
  await expect(readWorkflowFiles("/nowhere/workflows")).rejects.toThrow(
    "/nowhere/workflows:1:1: the folder of workflows cannot be read (ENOENT): create it, or set another folder",
  );
});
