import { isDeepStrictEqual } from "node:util";
import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, type FileProblem, type YamlFile } from "@crosszone/service-kit/yaml";
import { ownMember } from "../definition/sound-steps.ts";
import { withStepTypes } from "../definition/with-step-types.ts";
import type { Workflows } from "../runner/workflows.ts";

/** Versions, as `publish-text 1.0.0`, by what became of them. */
export interface AppliedWorkflows {
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

type Versions = Pick<Workflows, "validate" | "createVersion" | "get">;

const conflictOf = (source: unknown): ParamProblem => ({
  pointer: "/version",
  message: `is stored already: ${nameOf(source)} holds something else there, and never changes; say another version here, or take the change back`,
});

/**
 * Stores the versions that files hold and the zone does not have yet; nothing else is changed or removed. Throws a `FileProblemsError` with all
 * that is wrong in all of them, and then none is stored. What is stored already is not validated again: an agent may have gone since.
 */
export async function applyWorkflowFiles(workflows: Versions, files: readonly YamlFile[]): Promise<AppliedWorkflows> {
  const checked = await Promise.all(files.map(async (file) => ({ file, ...(await check(workflows, file.value)) })));
  const problems = [...checked.flatMap(({ file, wrong }) => wrong.map(file.problemAt)), ...repeated(files)];
  if (problems.length > 0) throw new FileProblemsError(problems);
  const applied = { created: [] as string[], kept: [] as string[] };
  for (const { file, isNew } of checked) {
    const stored = isNew ? await workflows.createVersion(file.value) : undefined;
    // Another process may have been quicker, with a file of its own.
    if (stored?.outcome === "invalid") throw new FileProblemsError(stored.problems.map(file.problemAt));
    if (stored?.outcome === "conflict") throw new FileProblemsError([file.problemAt(conflictOf(file.value))]);
    applied[stored?.outcome === "created" ? "created" : "kept"].push(nameOf(file.value));
  }
  return applied;
}

async function check(
  workflows: Versions,
  source: unknown,
): Promise<{ readonly isNew: boolean; readonly wrong: readonly ParamProblem[] }> {
  const [id, version] = [ownMember(source, "workflow_id"), ownMember(source, "version")];
  const known = typeof id === "string" && typeof version === "string" ? await workflows.get(id, version) : undefined;
  if (known === undefined) return { isNew: true, wrong: await workflows.validate(source) };
  // As it is stored: JSON knows less than YAML.
  const asked = JSON.parse(JSON.stringify(withStepTypes(source))) as unknown;
  return { isNew: false, wrong: isDeepStrictEqual(known.definition, asked) ? [] : [conflictOf(source)] };
}

/** Of two files that say the same version, it would be luck which is taken. */
function repeated(files: readonly YamlFile[]): FileProblem[] {
  const first = new Map<string, YamlFile>();
  return files.flatMap((file) => {
    const before = first.getOrInsertComputed(nameOf(file.value), () => file);
    return before === file
      ? []
      : [file.problemAt({ pointer: "/version", message: `is the version that ${before.path} holds too` })];
  });
}

const nameOf = (source: unknown): string =>
  `${String(ownMember(source, "workflow_id"))} ${String(ownMember(source, "version"))}`;
