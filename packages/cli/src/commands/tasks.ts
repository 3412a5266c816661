import { type AgentCall, isTaskState, type TaskFailure, type TaskRecord, type TaskState } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { didYouMean, exitCodes, UsageError } from "../program/errors.ts";
import { pageNotice, pageOptions, readPage } from "../program/options.ts";
import { duration, factsText, fit, harmlessJson, harmlessLine, stateText, table } from "../text/terminal-text.ts";
import { findTask } from "./unknown-names.ts";

const states = ["submitted", "working", "success", "error", "canceled", "timed_out"] satisfies TaskState[];

/** Column widths that keep a row within 80 columns. */
const widths = { agent: 12, state: 17 };

export const listTasks: Command = defineCommand({
  name: "tasks list",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  operands: [],
  options: {
    state: { flags: "--state <state>", help: `only tasks in this state: ${states.join(", ")}` },
    agent: { flags: "--agent <agent>", help: "only tasks of this agent or workflow" },
    reference: { flags: "--reference <id>", help: "only tasks with this reference from Slack" },
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

export const showTask: Command = defineCommand({
  name: "tasks show",
  summary: "Shows a task: its state, error and agent calls, but never the question or the answer.",
  operands: ["<task or reference>"],
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

/** Returns a task with its agent calls as text. */
function taskText(task: TaskRecord): string {
  const { task_id, agent, caller, attempts, error, created_at, ended_at, deadline, correlation_id, run_id } = task;
  const facts = factsText({
    task: task_id,
    agent,
    state: stateText({ ...task, started_at: created_at }),
    error: error && failureText(error),
    detail: error?.detail,
    run: run_id && `${run_id} (crosszone runs show ${run_id})`,
    caller,
    user: task.user_id,
    channel: task.channel,
    team: task.team_id ?? task.team,
    attempts: String(attempts),
    created: created_at,
    ended: ended_at,
    deadline: ended_at === undefined ? deadline : undefined,
    correlation: correlation_id,
  });
  return [facts, ...(task.agent_calls ?? []).map(callText)].join("\n");
}

function callText(call: AgentCall): string {
  const { agent, attempts, error_kind, remote_id, progress, created_at } = call;
  return factsText({
    "agent call": agent,
    state: stateText({ ...call, started_at: created_at }),
    attempts: attempts === undefined ? undefined : String(attempts),
    error: error_kind,
    "remote id": remote_id,
    progress,
  });
}

const failureText = ({ message, kind, code }: TaskFailure): string => `${message} (${kind}, ${code})`;
