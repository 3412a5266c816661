import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";

/** The result of checking a definition without a zone. */
export interface CheckedDefinition {
  /** Undefined when the file can't be parsed. */
  readonly file?: YamlFile;
  /** One line each, as `file:line:column: /pointer message`; empty when the definition is valid. */
  readonly problems: string;
}

/** Reads a workflow definition, JSON or YAML, and checks it. Only a zone can check that its agents exist. */
export async function checkDefinition(path: string): Promise<CheckedDefinition> {
  // Loaded on demand: the validator is most of this program's code, and few commands need it.
  const { validateWorkflow } = await import("@crosszone/workflow");
  try {
    const file = await readYamlFile(path, "file of a workflow");
    return { file, problems: placed(file, validateWorkflow(file.value)) };
  } catch (error) {
    if (error instanceof FileProblemsError) return { problems: error.message };
    throw error;
  }
}

/** Returns one line for each problem with its position in the file, in file order. */
export function placed(file: YamlFile, problems: readonly ParamProblem[]): string {
  return problems.length === 0 ? "" : new FileProblemsError(problems.map(file.problemAt)).message;
}
