import { failed, passed, skipped, warned, type Check } from "@crosszone/ops/doctor";
import { FileProblemsError, type FileProblem, type YamlFile } from "@crosszone/service-kit/yaml";
import { readWorkflowFiles, validateWorkflow, type ReadWorkflowOptions } from "@crosszone/workflow";
import type { ExecutionConfig } from "../../config/config.ts";

const reads = ["WORKFLOWS_DIR", "AGENTS_FILE"];
const ask = "The zone activates a new version only when all its agents exist. Register missing agents first.";

/**
 * Checks the workflows of WORKFLOWS_DIR and the agents of their steps. `declared` returns the agents of AGENTS_FILE.
 * Sends nothing to any agent.
 */
export function checkWorkflowFiles(
  { WORKFLOWS_DIR: folder, AGENTS_FILE: agents }: Pick<ExecutionConfig, "WORKFLOWS_DIR" | "AGENTS_FILE">,
  declared: () => Promise<readonly string[]>,
): Check {
  return {
    name: "workflows",
    ...(agents !== undefined && { needs: ["agents file"] }),
    reads,
    run: async () => {
      if (folder === undefined) return skipped("WORKFLOWS_DIR is not set: workflows are created over the API");
      try {
        const files = await readWorkflowFiles(folder);
        refuseIfAny(problemsOf(files, {}));
        const strange = new FileProblemsError(problemsOf(files, { agents: await declared() }));
        if (strange.problems.length > 0)
          return warned("they name agents that AGENTS_FILE does not declare", ...strange.message.split("\n"), ask);
        return passed(`${files.length}; AGENTS_FILE declares all their agents`);
      } catch (error) {
        if (!(error instanceof FileProblemsError)) throw error;
        return failed("they have mistakes, and the zone can't start", ...error.message.split("\n"));
      }
    },
  };
}

const problemsOf = (files: readonly YamlFile[], options: ReadWorkflowOptions): FileProblem[] =>
  files.flatMap(({ value, problemAt }) => validateWorkflow(value, options).map(problemAt));

function refuseIfAny(problems: readonly FileProblem[]): void {
  if (problems.length > 0) throw new FileProblemsError(problems);
}
