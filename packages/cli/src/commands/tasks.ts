import {
  type AgentCall,
  isTaskState,
  type MessageRecord,
  type TaskFailure,
  type TaskRecord,
} from "@crosszone/contracts";
import { findMessage } from "../api/api-client.ts";
import { openInputs } from "../api/inputs-api.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { namesOf, pageNotice, pageOptions, readName, readPage } from "../program/options.ts";
import { waitsText } from "../text/input-text.ts";
import { duration, factsText, fit, harmlessJson, harmlessLine, stateText, table } from "../text/terminal-text.ts";
import { findTask } from "./unknown-names.ts";

/** Column widths that keep a row within the 80 columns of a terminal. */
const widths = { agent: 12, state: 17 };

const head = ["TASK", "AGENT", "STATE", "AGE", "REFERENCE"];

export const listTasks: Command = defineCommand({
  name: "tasks list",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  operands: [],
  options: {
    state: { flags: "--state <state>", help: `only tasks in this state: ${namesOf(isTaskState).join(", ")}` },
    agent: { flags: "--agent <agent>", help: "only tasks of this agent or workflow" },
    reference: { flags: "--reference <id>", help: "only tasks with this reference from Slack" },
    ...pageOptions,
    json: jsonOption,
  },
  examples: [["crosszone tasks list --state error", "the latest failed tasks, and why they failed"]],
  run: async ({ values: { state, agent, reference, ...page } }, { api, stdout }) => {
    const list = await api().tasks.list({
      ...readPage(page),
      state: state === undefined ? undefined : readName("--state", state, isTaskState),
      ...(agent && { agent }),
      ...(reference && { correlation_id: reference }),
    });
    const rows = list.tasks.map((task) => rowOf(task, stdout.isTTY === true));
    const text = list.total === 0 ? "No tasks.\n" : table(stdout.isTTY === true ? head.slice(0, 4) : head, rows);
    return { json: list, text, notice: pageNotice(list, list.tasks.length) };
  },
});

/** Returns the cells of a task; the state of a failed one is the kind of its error. On a terminal, cells are cut and the reference is left out. */
function rowOf({ task_id, agent, state, error, created_at, correlation_id }: TaskRecord, isCut: boolean) {
  const stands = state === "error" ? (error?.kind ?? state) : state;
  const age = duration(Date.now() - Date.parse(created_at));
  if (!isCut) return [task_id, agent, stands, age, correlation_id];
  return [task_id, fit(harmlessLine(agent), widths.agent), fit(stands, widths.state), age];
}

export const showTask: Command = defineCommand({
  name: "tasks show",
  summary: "Shows the way of a message through both zones and its task, but never the question or the answer.",
  operands: ["<task or reference>"],
  options: { json: jsonOption },
  examples: [["crosszone tasks show f8a53243-76d1-…", "by its id, or by the reference that Slack shows"]],
  run: async ({ values: { json }, operands: [name = ""] }, session) => {
    const { stdout, stderr } = session;
    const [task, problem] = await orProblem(() => findTask(session.api().tasks, name));
    const reference = task?.task.correlation_id ?? name;
    const [message, missing] = await orProblem(async () => {
      const zone = session.verification();
      if (zone === undefined) throw new UsageError(notConfigured);
      return await findMessage(zone, reference);
    });
    if (task === undefined && message === undefined) throw problem ?? new UsageError(notConfigured);
    const waits = task?.task.state === "input_required" ? { task_id: task.task.task_id } : undefined;
    const inputs = waits && (await openInputs(session.api().inputs, waits));
    const found = { message, task: task?.task, input_requests: inputs };
    const text = [
      ...(message ? [wayText(message, task?.task)] : []),
      ...(task ? [taskText(task.task) + waitsText(inputs ?? [])] : []),
    ];
    stdout.write(json ? `${harmlessJson(found)}\n` : text.join("\n"));
    // A message that was denied or rejected has no task.
    const isWhole = message !== undefined && ["denied", "rejected"].includes(message.state);
    for (const notice of [isWhole ? undefined : problem, missing])
      if (notice !== undefined) stderr.write(`Shown in part. ${harmlessLine(notice.message)}\n`);
    if (task !== undefined && task.total > 1)
      stderr.write(`The newest of ${task.total}. List all: crosszone tasks list --reference ${harmlessLine(name)}\n`);
    return exitCodes.done;
  },
});

const notConfigured = "Set CROSSZONE_VERIFICATION_URL to see what the verification zone did with the message.";

async function orProblem<Found>(find: () => Promise<Found>): Promise<readonly [Found | undefined, Error | undefined]> {
  try {
    return [await find(), undefined];
  } catch (error) {
    return [undefined, error as Error];
  }
}

/** Returns the way of a message through both zones as text: a line for each stage, with the time since the message arrived. */
function wayText(message: MessageRecord, task: TaskRecord | undefined): string {
  const { reference, state, team_id, channel, thread_ts, user_id, received_at } = message;
  const stages: (readonly [at: string, stage: string, text: string])[] = [
    [received_at, "received", `from ${user_id} in ${channel}, thread ${thread_ts}, workspace ${team_id}`],
  ];
  if (task !== undefined) stages.push([task.created_at, "asked", `${task.agent}, task ${task.task_id}`]);
  for (const call of task?.agent_calls ?? []) {
    const at = call.ended_at ?? call.created_at;
    // The end of a call can be stored a little later than that of its task.
    const end = task?.ended_at ?? at;
    stages.push([at < end ? at : end, "tried", `${call.agent}, ${triedText(call)}`]);
  }
  if (task?.ended_at !== undefined)
    stages.push([task.ended_at, "ended", task.error ? failureText(task.error) : task.state]);
  stages.push([message.ended_at, state.replace("_", " "), endText(message)]);
  const start = Date.parse(received_at);
  const rows = stages
    .toSorted(([one], [other]) => Date.parse(one) - Date.parse(other))
    .map(([at, stage, text]) => [`+${duration(Date.parse(at) - start)}`, stage, harmlessLine(text)]);
  return `${reference}, ${received_at}\n${table(["AFTER", "STAGE", ""], rows)}`;
}

function endText({ state, rule, reason = "no reason is stored", attempts }: MessageRecord): string {
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (state === "denied") return `by the policy's rule ${rule ?? "(unknown)"}: ${reason}`;
  if (state === "rejected") return reason;
  if (state === "withdrawn") return "its author deleted it";
  if (state === "parked") return `after ${tries}: ${reason}; an operator can retry it`;
  return state === "answered" ? `after ${tries}` : `after ${tries}; the requester was told`;
}

const triedText = ({ attempts, state, error_kind, error_message = error_kind }: AgentCall): string =>
  `${attempts === undefined ? "" : attempts === 1 ? "1 attempt: " : `${attempts} attempts: `}${error_message ?? state}`;

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
  const { agent, attempts, error_kind, error_message, remote_id, progress, created_at } = call;
  return factsText({
    "agent call": agent,
    state: stateText({ ...call, started_at: created_at }),
    attempts: attempts === undefined ? undefined : String(attempts),
    error: error_message === undefined ? error_kind : `${error_message} (${error_kind})`,
    "remote id": remote_id,
    progress,
  });
}

const failureText = ({ message, kind, code }: TaskFailure): string => `${message} (${kind}, ${code})`;
