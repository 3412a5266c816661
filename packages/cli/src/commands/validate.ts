import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import { type Command, defineCommand } from "../program/command.ts";
import { exitCodes } from "../program/errors.ts";
import { harmless } from "../text/terminal-text.ts";

export const validateCommand: Command = defineCommand({
  name: "validate",
  summary: "Checks workflow definitions and reports all problems by file and line. Needs no zone.",
  operands: ["<file...>"],
  options: { server: { flags: "--server", help: "also ask the zone, which knows the registered agents" } },
  examples: [
    ["crosszone validate workflows/*.yaml", "check before committing"],
    ["crosszone validate publish-text.json --server", "check before creating"],
  ],
  run: async ({ values, operands }, { api: open, stdout, stderr }) => {
    const api = values.server === true ? open() : undefined;
    let isValid = true;
    for (const path of operands) {
      const checked = await checkDefinition(path);
      let { problems } = checked;
      // The zone reports the same problems and more.
      if (checked.file && api)
        problems = placed(checked.file, (await api.validate(checked.file.value)).problems) || problems;
      if (problems === "") stdout.write(`${harmless(path)}: valid\n`);
      else stderr.write(`${harmless(problems)}\n`);
      isValid &&= problems === "";
    }
    return isValid ? exitCodes.done : exitCodes.failed;
  },
});

/** The result of checking a definition without a zone. */
interface CheckedDefinition {
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
