import { RefusedError } from "../api/api-failure.ts";
import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { pageOptions, readPage } from "../arguments/read-page.ts";
import { checkDefinition, placed } from "../definition/check-definition.ts";
import { fit } from "../output/fit.ts";
import { harmless, harmlessJson } from "../output/harmless.ts";
import { pageNotice } from "../output/page-notice.ts";
import { table } from "../output/table.ts";
import { orNear } from "./near-workflows.ts";

/** Maximum width of a name in columns, so that a long one does not push the other columns off the screen. */
const widestName = 40;

export const listWorkflows: Command = defineCommand({
  name: "workflows list",
  summary: "Lists workflows, each in its latest version.",
  operands: "",
  count: [0, 0],
  options: { ...pageOptions, json: jsonOption },
  examples: [["crosszone workflows", "short form of the same"]],
  run: async ({ values: { json, ...page } }, { api, stdout, stderr }) => {
    const list = await api().workflows(readPage(page));
    const rows = list.workflows.map((one) => [
      one.workflow_id,
      one.version,
      fit(one.name, widestName),
      one.description ?? "",
    ]);
    stdout.write(json ? `${harmlessJson(list)}\n` : table(["WORKFLOW", "VERSION", "NAME", "DESCRIPTION"], rows));
    if (!json) stderr.write(pageNotice(list, rows.length));
    return exitCodes.done;
  },
});

export const showWorkflow: Command = defineCommand({
  name: "workflows show",
  summary: "Shows a workflow's definition.",
  operands: "<workflow>",
  count: [1, 1],
  options: {
    version: { type: "string", value: "<version>", help: "version (default: the latest)" },
    json: { ...jsonOption, help: "print the stored record, with its definition, as JSON" },
  },
  examples: [["crosszone workflows show publish-text > publish-text.json", "edit a copy"]],
  run: async ({ values: { version, json }, operands: [workflowId = ""] }, { api: open, stdout }) => {
    const api = open();
    const record = await api.workflow(workflowId, version).catch(orNear(api, workflowId));
    stdout.write(`${harmlessJson(json === true ? record : record.definition)}\n`);
    return exitCodes.done;
  },
});

export const createWorkflows: Command = defineCommand({
  name: "workflows create",
  summary: "Stores workflow definitions. Storing the same content again changes nothing; a version never changes.",
  operands: "<file…>",
  count: [1, Infinity],
  options: { json: { ...jsonOption, help: "print the stored records as JSON" } },
  examples: [["crosszone workflows create workflows/*.yaml", "store every file in a folder"]],
  run: async ({ values: { json }, operands }, { api: open, stdout, stderr }) => {
    const api = open();
    const checked = await Promise.all(operands.map(checkDefinition));
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
