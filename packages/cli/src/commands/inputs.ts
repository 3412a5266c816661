import { isInputState } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { namesOf, pageNotice, pageOptions, readName, readPage } from "../program/options.ts";
import { decidersText, inputStateText, inputText, receiptText } from "../text/input-text.ts";
import { duration, fit, harmlessLine, table } from "../text/terminal-text.ts";
import { findInput } from "./unknown-names.ts";

export const listInputs: Command = defineCommand({
  name: "inputs list",
  summary: "Lists input requests, latest change first. An input request is what a task or a run needs from a person.",
  operands: [],
  options: {
    state: { flags: "--state <state>", help: `only requests in this state: ${namesOf(isInputState).join(", ")}` },
    task: { flags: "--task <task>", help: "only requests of this task" },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [["crosszone inputs list --state open", "what waits for people, and for whom"]],
  run: async ({ values: { state: only, task, ...page } }, { api, stdout }) => {
    const state = only === undefined ? undefined : readName("--state", only, isInputState);
    const list = await api().inputs.list({ ...readPage(page), state, ...(task && { task_id: task }) });
    const rows = list.input_requests.map((request) => {
      const { request_id, state: stands, created_at, title } = request;
      const age = duration(Date.now() - Date.parse(created_at));
      return [request_id, stands, age, stdout.isTTY === true ? fit(title, 40) : title, decidersText(request)];
    });
    const head = ["INPUT REQUEST", "STATE", "AGE", "TITLE", "DECIDES"];
    const text = list.total === 0 ? "No input requests.\n" : table(head, rows);
    return { json: list, text, notice: pageNotice(list, rows.length) };
  },
});

export const showInput: Command = defineCommand({
  name: "inputs show",
  summary: "Shows an input request: what is asked, the whole action, who decides, and all votes.",
  operands: ["<input request>"],
  options: { json: jsonOption },
  examples: [["crosszone inputs show inp_3f2a", "by its id, or the beginning of it"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const request = await findInput(api().inputs, name);
    return { json: request, text: inputText(request) };
  },
});

export const inputReceipt: Command = defineCommand({
  name: "inputs receipt",
  summary: "Prints who decided an input request, and the proof that the signed audit log has it.",
  operands: ["<input request>"],
  options: { json: jsonOption },
  examples: [["crosszone inputs receipt inp_3f2a --json > receipt.json", "a file for crosszone audit verify"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { inputs } = api();
    const request = await findInput(inputs, name);
    const receipt = await inputs.receipt(request.request_id);
    return { json: receipt, text: receiptText(request, receipt) };
  },
});

export const withdrawInput: Command = defineCommand({
  name: "inputs withdraw",
  summary: "Withdraws an open input request. What waits for it continues as if it was denied.",
  operands: ["<input request>"],
  options: { json: jsonOption },
  examples: [["crosszone inputs withdraw inp_3f2a", "close it without a decision"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { inputs } = api();
    const { request_id } = await findInput(inputs, name);
    const request = await inputs.withdraw(request_id);
    const text = `${harmlessLine(request.title)}: ${harmlessLine(inputStateText(request))}\n`;
    return { json: request, text, isDone: request.state === "withdrawn" };
  },
});
