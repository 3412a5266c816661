import { existsSync } from "node:fs";
import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import { type Command, defineCommand } from "../program/command.ts";
import { exitCodes } from "../program/errors.ts";
import { harmless } from "../text/terminal-text.ts";

export const validateCommand: Command = defineCommand({
  name: "validate",
  summary: "Checks workflow definitions and reports all problems by file and line. Needs no zone.",
  operands: ["<file...>"],
  options: { zone: { flags: "--zone", help: "also ask the zone, which knows the registered agents" } },
  examples: [
    ["crosszone validate workflows/*.yaml", "check before committing"],
    ["crosszone validate publish-text.json --zone", "check before creating"],
  ],
  run: async ({ values, operands }, { api: open, stdout, stderr }) => {
    const api = values.zone === true ? open() : undefined;
    let isValid = true;
    for (const path of operands) {
      const checked = await checkDefinition(path);
      let { problems, warnings } = checked;
      // The zone reports the same problems and more.
      if (checked.file && api) {
        const report = await api.validate(checked.file.value);
        problems = placed(checked.file, report.problems) || problems;
        warnings = warningsOf(checked.file, report);
      }
      if (problems === "") stdout.write(`${harmless(path)}: valid\n`);
      for (const text of [problems, warnings]) if (text !== "") stderr.write(`${harmless(text)}\n`);
      isValid &&= problems === "";
    }
    return isValid ? exitCodes.done : exitCodes.failed;
  },
});

/**
 * Reads a workflow definition, JSON or YAML, and checks it. Only a zone can check that its agents exist. Returns the problems and the
 * warnings, a line each as `file:line:column: /pointer message`, and the file if it can be parsed.
 */
export async function checkDefinition(path: string) {
  if (!existsSync(path)) return { problems: `No such file: ${path}`, warnings: "" };
  // Loaded on demand: the validator is most of this program's code, and few commands need it.
  const { readWorkflow } = await import("@crosszone/workflow");
  try {
    const file = await readYamlFile(path, "file of a workflow", "workflow");
    const report = readWorkflow(file.value);
    return { file, problems: placed(file, report.problems), warnings: warningsOf(file, report) };
  } catch (error) {
    if (error instanceof FileProblemsError) return { problems: error.message, warnings: "" };
    throw error;
  }
}

/** Returns one line for each problem with its position in the file, in file order. */
export function placed(file: YamlFile, problems: readonly ParamProblem[]): string {
  return problems.length === 0 ? "" : new FileProblemsError(problems.map(file.problemAt)).message;
}

function warningsOf(file: YamlFile, { warnings = [] }: { readonly warnings?: readonly ParamProblem[] }): string {
  const at = warnings.map(file.problemAt).map((one) => ({ ...one, pointer: `warning: ${one.pointer}` }));
  return at.length === 0 ? "" : new FileProblemsError(at).message;
}
