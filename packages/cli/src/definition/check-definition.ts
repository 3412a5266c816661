import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";

/** What can be told of a definition without a zone. */
export interface CheckedDefinition {
  /** Nothing when it cannot be read at all. */
  readonly file?: YamlFile;
  /** A line each, as `file:line:column: /pointer message`; empty when nothing is wrong. */
  readonly problems: string;
}

/** Reads a definition, JSON or YAML, and looks for all that is wrong with it. Whether its agents are there, only a zone knows. */
export async function checkDefinition(path: string): Promise<CheckedDefinition> {
  // Only who checks definitions needs what checks them, and that is most of what this program can load.
  const { validateWorkflow } = await import("@crosszone/workflow");
  try {
    const file = await readYamlFile(path, "file of a workflow");
    return { file, problems: placed(file, validateWorkflow(file.value)) };
  } catch (error) {
    if (error instanceof FileProblemsError) return { problems: error.message };
    throw error;
  }
}

/** Problems where they stand in their file, a line each, from the first to the last. */
export function placed(file: YamlFile, problems: readonly ParamProblem[]): string {
  return problems.length === 0 ? "" : new FileProblemsError(problems.map(file.problemAt)).message;
}
