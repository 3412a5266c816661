import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Author } from "@crosszone/audit";
import type { ParamProblem } from "@crosszone/contracts";
import { type FileProblem, FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import { ownMember } from "@crosszone/service-kit/json";
import { withStepTypes } from "./definition/sound-steps.ts";
import type { Workflows } from "./runner/create-workflows.ts";

type Definitions = Pick<Workflows, "get" | "validate" | "createVersion">;

const endings = [".json", ".yaml", ".yml"];

/** Reads a file with one definition, JSON or YAML. Throws a `FileProblemsError` if it can't be read. */
export const readWorkflowFile = (path: string): Promise<YamlFile> =>
  readYamlFile(path, "file of a workflow", "workflow");

/**
 * Reads all definitions of a folder, JSON or YAML, in the order of their names. Ignores subfolders, hidden files and other files. Throws a
 * `FileProblemsError` with the problems of all files.
 */
export async function readWorkflowFiles(folder: string): Promise<readonly YamlFile[]> {
  const names = (await namesIn(folder)).filter(isDefinition);
  const files: YamlFile[] = [];
  const problems: FileProblem[] = [];
  for (const name of names.toSorted()) {
    try {
      files.push(await readWorkflowFile(join(folder, name)));
    } catch (error) {
      if (!(error instanceof FileProblemsError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new FileProblemsError(problems);
  return files;
}

/** Editors and operating systems create hidden files: `.#a.yaml`, `._a.json`. */
const isDefinition = (name: string): boolean => !name.startsWith(".") && endings.includes(extname(name).toLowerCase());

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    const message = `the folder of workflows cannot be read (${code}): create it, or set another folder`;
    throw new FileProblemsError([{ path: folder, line: 1, column: 1, pointer: "", message }]);
  }
}

/** Definitions, such as `publish-text 1.0.0`, by outcome. */
export type AppliedWorkflows = Readonly<Record<"created" | "kept", string[]>>;

const conflictOf = (source: unknown): ParamProblem => ({
  pointer: "/version",
  message: `conflicts with the stored ${nameOf(source)}, which can't be changed; set another version in this file, or revert the change`,
});

/**
 * Stores the versions in the files of a folder that the zone does not have yet. Changes and removes nothing else. Throws a `FileProblemsError` with all
 * problems of all files, and then stores none. Stored versions are not revalidated: an agent may have been removed since.
 */
export async function applyWorkflowFiles(workflows: Definitions, folder: string): Promise<AppliedWorkflows> {
  const files = await readWorkflowFiles(folder);
  const checked = await Promise.all(files.map(async (file) => ({ file, ...(await check(workflows, file.value)) })));
  const problems = [...checked.flatMap(({ file, wrong }) => wrong.map(file.problemAt)), ...repeated(files)];
  if (problems.length > 0) throw new FileProblemsError(problems);
  const applied: AppliedWorkflows = { created: [], kept: [] };
  for (const { file, isNew } of checked) {
    const stored = isNew ? await workflows.createVersion(file.value, undefined, authorOf(file)) : undefined;
    // Another process may have stored a different file first.
    if (stored?.outcome === "invalid") throw new FileProblemsError(stored.problems.map(file.problemAt));
    if (stored?.outcome === "conflict") throw new FileProblemsError([file.problemAt(conflictOf(file.value))]);
    applied[stored?.outcome === "created" ? "created" : "kept"].push(nameOf(file.value));
  }
  return applied;
}

const authorOf = ({ path }: YamlFile): Author => ({ actor: `file:${basename(path)}`, correlationId: "start" });

async function check(
  workflows: Definitions,
  source: unknown,
): Promise<{ readonly isNew: boolean; readonly wrong: readonly ParamProblem[] }> {
  const [id, version] = [ownMember(source, "workflow_id"), ownMember(source, "version")];
  const known = typeof id === "string" && typeof version === "string" ? await workflows.get(id, version) : undefined;
  if (known === undefined) return { isNew: true, wrong: (await workflows.validate(source)).problems };
  // Compare as stored: YAML has values that JSON does not.
  const inFile = JSON.parse(JSON.stringify(withStepTypes(source))) as unknown;
  return { isNew: false, wrong: isDeepStrictEqual(known.definition, inFile) ? [] : [conflictOf(source)] };
}

/** Two files with the same version are ambiguous. */
function repeated(files: readonly YamlFile[]): FileProblem[] {
  const first = new Map<string, YamlFile>();
  return files.flatMap((file) => {
    const before = first.getOrInsertComputed(nameOf(file.value), () => file);
    return before === file
      ? []
      : [file.problemAt({ pointer: "/version", message: `is also the version in ${before.path}` })];
  });
}

const nameOf = (source: unknown): string =>
  `${String(ownMember(source, "workflow_id"))} ${String(ownMember(source, "version"))}`;
