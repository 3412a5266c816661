import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import { RefusedError } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { actRow, listRow } from "../program/row.ts";
import { exitCodes } from "../program/session.ts";
import { harmless, harmlessJson, harmlessLine } from "../text/terminal-text.ts";
import { orLatest } from "../program/unknown-names.ts";
import { readInput } from "./run.ts";

const validateFiles: Command = defineCommand({
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
        const report = await api.call("validateWorkflow", { body: checked.file.value });
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
function placed(file: YamlFile, problems: readonly ParamProblem[]): string {
  return problems.length === 0 ? "" : new FileProblemsError(problems.map(file.problemAt)).message;
}

function warningsOf(file: YamlFile, { warnings = [] }: { readonly warnings?: readonly ParamProblem[] }): string {
  const at = warnings.map(file.problemAt).map((one) => ({ ...one, pointer: `warning: ${one.pointer}` }));
  return at.length === 0 ? "" : new FileProblemsError(at).message;
}

const listWorkflows = listRow({
  name: "workflows list",
  operation: "listWorkflows",
  summary: "Lists workflows, each in its latest version.",
  examples: [["crosszone workflows", "short form of the same"]],
  of: ({ workflows }) => workflows,
  columns: ({ workflow_id, version, name, description = "" }) => ({
    WORKFLOW: workflow_id,
    VERSION: version,
    NAME: name,
    DESCRIPTION: description,
  }),
  none: "No workflows.",
  names: { kind: "workflow", of: ({ workflow_id }) => workflow_id },
});

const showWorkflow: Command = defineCommand({
  name: "workflows show",
  summary: "Shows a workflow's definition.",
  operands: ["<workflow>"],
  options: {
    version: { flags: "--version <version>", help: "version (default: the latest)" },
    json: { ...jsonOption, help: "print the stored record, with its definition, as JSON" },
  },
  examples: [["crosszone workflows show publish-text > publish-text.json", "edit a copy"]],
  run: async ({ values: { version }, operands: [workflow_id = ""] }, { api: open }) => {
    const api = open();
    const found =
      version === undefined
        ? api.call("getWorkflow", { workflow_id })
        : api.call("getWorkflowVersion", { workflow_id, version });
    const record = await found.catch(orLatest(api, workflow_id));
    return { json: record, text: `${harmlessJson(record.definition)}\n` };
  },
});

const publishEvent = actRow({
  name: "workflows event",
  operation: "publishEvent",
  summary: "Publishes an event to the runs that wait for it, now or within 7 days.",
  operands: { name: "<name>", key: "<key>" },
  options: {
    payload: { flags: "--payload <payload>", multiple: true, help: "JSON, @file, - (standard input), or key=value" },
    id: { flags: "--id <id>", help: "publishing the same id again has no effect" },
  },
  examples: [[`crosszone workflows event invoice.paid 4711 --payload sum=100`, "wake the runs that wait for it"]],
  ask: async ({ values: { id = randomUUID(), payload = [] }, session: { stdin } }) => ({
    body: { id, payload: (await readInput(payload, stdin)).input },
  }),
  show: ({ is_new }) => (is_new ? "The event is stored\n" : "The event was stored before\n"),
});

const createWorkflows: Command = defineCommand({
  name: "workflows create",
  summary: "Stores workflow definitions. Storing the same content again changes nothing; a version never changes.",
  operands: ["<file...>"],
  options: { json: { ...jsonOption, help: "print the stored records as JSON" } },
  examples: [["crosszone workflows create workflows/*.yaml", "store every file in a folder"]],
  run: async ({ values: { json }, operands }, { api: open, stdout, stderr }) => {
    const api = open();
    const checked = await Promise.all(operands.map(checkDefinition));
    for (const { warnings } of checked) if (warnings !== "") stderr.write(`${harmless(warnings)}\n`);
    // Check all files before storing any.
    if (checked.some(({ problems }) => problems !== "")) {
      for (const { problems } of checked) if (problems !== "") stderr.write(`${harmless(problems)}\n`);
      return exitCodes.failed;
    }
    const records = [];
    for (const [index, file] of checked.flatMap(({ file: read }) => read ?? []).entries()) {
      try {
        const record = await api.callWith("createWorkflowVersion", { body: file.value });
        records.push(record);
        if (!json) stdout.write(`${harmlessLine(`${record.workflow_id} ${record.version}`)} is stored\n`);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        if (error.kind === "invalid-body") {
          stderr.write(`${harmless(placed(file, error.problems))}\n`);
          return exitCodes.failed;
        }
        // With several files, name the one that failed.
        error.message = `${operands[index]}: ${error.message}`;
        throw error;
      }
    }
    if (json) stdout.write(`${harmlessJson(records)}\n`);
    return exitCodes.done;
  },
});

/** In the order of the help. */
export const workflowCommands: readonly Command[] = [
  validateFiles,
  listWorkflows,
  showWorkflow,
  createWorkflows,
  publishEvent,
];
