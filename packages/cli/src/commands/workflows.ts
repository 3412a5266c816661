import { RefusedError } from "../api/failures.ts";
import { pageNotice, pageOptions, readPage } from "../program/options.ts";
import { checkDefinition, placed } from "./validate.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes } from "../program/errors.ts";
import { fit, harmless, harmlessJson, table } from "../text/terminal-text.ts";
import { orNear } from "./unknown-names.ts";

/** Maximum width of a name in columns, so that a long one does not push the other columns off the screen. */
const widestName = 40;

export const listWorkflows: Command = defineCommand({
  name: "workflows list",
  summary: "Lists workflows, each in its latest version.",
  operands: [],
  options: { ...pageOptions, json: jsonOption },
  examples: [["crosszone workflows", "short form of the same"]],
  run: async ({ values }, { api }) => {
    const list = await api().workflows(readPage(values));
    const rows = list.workflows.map((one) => [
      one.workflow_id,
      one.version,
      fit(one.name, widestName),
      one.description ?? "",
    ]);
    const text = table(["WORKFLOW", "VERSION", "NAME", "DESCRIPTION"], rows);
    return { json: list, text, notice: pageNotice(list, rows.length) };
  },
});

export const showWorkflow: Command = defineCommand({
  name: "workflows show",
  summary: "Shows a workflow's definition.",
  operands: ["<workflow>"],
  options: {
    version: { flags: "--version <version>", help: "version (default: the latest)" },
    json: { ...jsonOption, help: "print the stored record, with its definition, as JSON" },
  },
  examples: [["crosszone workflows show publish-text > publish-text.json", "edit a copy"]],
  run: async ({ values: { version }, operands: [workflowId = ""] }, session) => {
    const api = session.api();
    const record = await api.workflow(workflowId, version).catch(orNear(api, workflowId));
    return { json: record, text: `${harmlessJson(record.definition)}\n` };
  },
});

export const createWorkflows: Command = defineCommand({
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
        const record = await api.createWorkflow(file.value);
        records.push(record);
        if (!json) stdout.write(`${record.workflow_id} ${record.version} is stored\n`);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        if (error.kind === "invalid-workflow") {
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
