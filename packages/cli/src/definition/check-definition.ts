import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";

/** A file that is a sound definition, as far as that can be told without a zone; or each problem, as `file:line:column: /pointer message`. */
export type CheckedDefinition =
  { readonly file: YamlFile; readonly problems: "" } | { readonly file?: undefined; readonly problems: string };

/** Reads a definition, JSON or YAML, and looks for all that is wrong with it. Whether its agents are there, only a zone knows. */
export async function checkDefinition(path: string): Promise<CheckedDefinition> {
  // Only who checks definitions needs what checks them, and that is most of what this program can load.
  const { validateWorkflow } = await import("@crosszone/workflow");
  try {
    const file = await readYamlFile(path, "file of a workflow");
    const problems = placed(file, validateWorkflow(file.value));
    return problems === "" ? { file, problems } : { problems };
  } catch (error) {
    if (error instanceof FileProblemsError) return { problems: error.message };
    throw error;
  }
}

/** Problems where they stand in their file, a line each, from the first to the last. */
export function placed(file: YamlFile, problems: readonly ParamProblem[]): string {
  return problems.length === 0 ? "" : new FileProblemsError(problems.map(file.problemAt)).message;
}
