import { isTaskState, type TaskRecord, type TaskState } from "@crosszone/contracts";
import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { didYouMean } from "../arguments/near-names.ts";
import { pageOptions, readPage } from "../arguments/read-page.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { duration } from "../output/duration.ts";
import { fit } from "../output/fit.ts";
import { harmlessJson, harmlessLine } from "../output/harmless.ts";
import { pageNotice } from "../output/page-notice.ts";
import { table } from "../output/table.ts";
import { taskText } from "../output/task-text.ts";
import { findTask } from "./near-tasks.ts";

const states = ["submitted", "working", "success", "error", "canceled", "timed_out"] satisfies TaskState[];

/** Column widths that keep a row within 80 columns. */
const widths = { agent: 12, state: 17 };

export const listTasks: Command = defineCommand({
  name: "tasks list",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  operands: "",
  count: [0, 0],
  options: {
    state: { type: "string", value: "<state>", help: `only tasks in this state: ${states.join(", ")}` },
    agent: { type: "string", value: "<agent>", help: "only tasks of this agent or workflow" },
    reference: { type: "string", value: "<id>", help: "only tasks with this reference from Slack" },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [["crosszone tasks list --state error", "the latest failed tasks, and why they failed"]],
  run: async ({ values: { state, agent, reference, json, ...page } }, { api, stdout, stderr }) => {
    if (state !== undefined && !isTaskState(state))
      throw new UsageError(`--state must be one of ${states.join(", ")}.${didYouMean(state, states)}`);
    const list = await api().tasks.list({
      ...readPage(page),
      ...(state && { state }),
      ...(agent && { agent }),
      ...(reference && { correlation_id: reference }),
    });
    stdout.write(json ? `${harmlessJson(list)}\n` : table(["TASK", "AGENT", "STATE", "AGE"], list.tasks.map(rowOf)));
    if (!json) stderr.write(pageNotice(list, list.tasks.length));
    return exitCodes.done;
  },
});

export const showTask: Command = defineCommand({
  name: "tasks show",
  summary: "Shows a task: its state, error and agent calls, but never the question or the answer.",
  operands: "<task or reference>",
  count: [1, 1],
  options: { json: jsonOption },
  examples: [["crosszone tasks show f8a53243-76d1-…", "by its id, or by the reference that Slack shows"]],
  run: async ({ values: { json }, operands: [name = ""] }, { api, stdout, stderr }) => {
    const { task, total } = await findTask(api().tasks, name);
    stdout.write(json ? `${harmlessJson(task)}\n` : taskText(task));
    if (total > 1)
      stderr.write(`The newest of ${total}. List all: crosszone tasks list --reference ${harmlessLine(name)}\n`);
    return exitCodes.done;
  },
});

/** Returns the state of a task; for a failed task, the kind of its error. */
function rowOf({ task_id, agent, state, error, created_at }: TaskRecord): readonly string[] {
  const stands = state === "error" ? (error?.kind ?? state) : state;
  return [
    task_id,
    fit(harmlessLine(agent), widths.agent),
    fit(stands, widths.state),
    duration(Date.now() - Date.parse(created_at)),
  ];
}
