import {
  type AgentCall,
  type ErrorKind,
  isTaskState,
  type MessageRecord,
  type TaskFailure,
  type TaskRecord,
} from "@crosszone/contracts";
import { findMessage } from "../api/api-client.ts";
import { QuestionError } from "../api/ask-agent.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { listOptions, namesOf, pageNotice, readList, readState } from "../program/options.ts";
import { exitCodes, type Session, UsageError, withStates } from "../program/session.ts";
import { waitsText } from "../text/input-text.ts";
import {
  shortDuration,
  factsText,
  harmless,
  harmlessJson,
  harmlessLine,
  ownName,
  stateText,
  table,
} from "../text/terminal-text.ts";
import { findTask, requesterOf, unknownAgent } from "../program/unknown-names.ts";

const head = ["TASK", "AGENT", "STATE", "AGE", "REFERENCE"];

export const tasksListCommand: Command = defineCommand({
  name: "tasks list",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  options: {
    state: { flags: "--state <state>", help: `only tasks in this state: ${namesOf(isTaskState).join(", ")}` },
    agent: { flags: "--agent <agent>", help: "only tasks of this agent or workflow" },
    reference: { flags: "--reference <id>", help: "only tasks with this reference from Slack" },
    ...listOptions,
  },
  examples: [
    ["crosszone tasks list --state error", "the latest failed tasks, and why they failed"],
    ["crosszone tasks list --person Alice --since 10:30", "what a person asked this morning"],
    ["crosszone tasks list --agent counter --waiting", "the questions that wait for an agent, and whose they are"],
  ],
  run: async ({ values: { state, agent, reference, ...values } }, session) => {
    const list = await session.api().tasks.list({
      ...readList(values),
      state: readState(state, isTaskState),
      agent: agent || undefined,
      correlation_id: reference || undefined,
    });
    const rows = list.tasks.map(rowOf);
    // Who waits is worth a request for each.
    const people = values.waiting === true ? await peopleOf(list.tasks, session) : undefined;
    const text = people
      ? { head: ["PERSON", ...head], rows: rows.map((row, at) => [people[at] ?? "", ...row]), none: "No tasks." }
      : { head, rows, none: "No tasks." };
    return { json: list, text, notice: pageNotice(list, list.tasks.length) };
  },
});

/** Returns who asked each task; empty for those whose requester is deleted or sealed. */
export const peopleOf = (tasks: readonly TaskRecord[], session: Session): Promise<readonly string[]> =>
  Promise.all(tasks.map(async (task) => (await requesterOf(task, session).catch(() => undefined)) ?? ""));

/** Returns the cells of a task; the state of a failed one is the kind of its error. */
function rowOf({ task_id, agent, state, error, created_at, correlation_id }: TaskRecord): string[] {
  const stands = state === "error" ? (error?.kind ?? state) : state;
  return [task_id, agent, stands, shortDuration(Date.now() - Date.parse(created_at)), correlation_id];
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
    const inputs = waits && (await session.api().inputs.open(waits));
    const found = { message, task: task?.task, input_requests: inputs };
    const texts = [message && wayText(message, task?.task), task && taskText(task.task) + waitsText(inputs ?? [])];
    const text = texts.filter((part) => part !== undefined);
    stdout.write(json ? `${harmlessJson(found)}\n` : withStates(text.join("\n"), stdout, session.env));
    // A message that was denied or rejected has no task.
    const isWhole = message !== undefined && ["denied", "rejected"].includes(message.state);
    for (const notice of [isWhole ? undefined : problem, missing])
      if (notice !== undefined) stderr.write(`Shown in part. ${harmlessLine(notice.message)}\n`);
    if (task !== undefined && task.total > 1)
      stderr.write(`The newest of ${task.total}. List all: ${ownName} tasks list --reference ${harmlessLine(name)}\n`);
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
    .map(([at, stage, text]) => [`+${shortDuration(Date.parse(at) - start)}`, stage, harmlessLine(text)]);
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
  const { agent_calls = [] } = task;
  const facts = factsText({
    task: task_id,
    agent,
    state: stateText({ ...task, started_at: created_at }),
    error: error && failureText(error),
    detail: error?.detail,
    run: run_id && `${run_id} (${ownName} runs show ${run_id})`,
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
  return [facts, ...agent_calls.map(callText)].join("\n");
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

export const askCommand: Command = defineCommand({
  name: "ask",
  summary: "Asks an agent through the zone and prints its answer.",
  operands: ["<agent>", "<question>"],
  options: {
    context: { flags: "--context <id>", help: "any id you choose; the same id continues the conversation" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone ask counter "How many words?"', "a single question"],
    ['crosszone ask counter "And now?" --context c1', "a question in a conversation"],
  ],
  run: async (
    { values: { context, json }, operands: [agent = "", text = ""] },
    { api, stdout, stderr, onInterrupt },
  ) => {
    if (context !== undefined && !/^[!-~]{1,128}$/.test(context))
      throw new UsageError("--context must be 1 to 128 printable ASCII characters without spaces.");
    const { askAgent, agents } = api();
    const left = new AbortController();
    const stopListening = onInterrupt(() => left.abort());
    try {
      const onProgress = (says: string): void => void stderr.write(`${harmlessLine(says)}\n`);
      const answer = await askAgent({ agent, text, contextId: context, onProgress, signal: left.signal });
      stdout.write(`${json ? harmlessJson(answer) : harmless(answer.response_text)}\n`);
      for (const { name, size } of json ? [] : (answer.files ?? []))
        stderr.write(`File: ${harmlessLine(name)} (${size} bytes)\n`);
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
      const isUnknown = error.data.kind === "unknown_agent";
      stderr.write(isUnknown ? `${harmless(await unknownAgent(agents, agent))}\n` : questionProblem(error));
      return isUnknown || error.data.kind === "unauthorized" ? exitCodes.refused : exitCodes.failed;
    } finally {
      stopListening();
    }
  },
});

/** What happened and what to do, for each error kind of a question. */
const sentences: Partial<Record<ErrorKind, string>> = {
  agent_unavailable: `The agent can't be reached. Check that it runs, and its URL: ${ownName} agents show`,
  agent_misconfigured: `The agent's address or protocol can't be used. Check its URL and its card: ${ownName} agents show`,
  agent_failed: "The agent failed.",
  agent_invalid_response: "The agent sent a response that Crosszone can't read.",
  agent_lost_task: "The agent has lost this task. Ask again.",
  agent_lost_answer:
    "The agent accepted this and ended without an answer. It may have acted: check before you ask again.",
  timeout: "The agent timed out. Slow agents should return a task at once and complete it later.",
  canceled: "Canceled.",
  rate_limited: "The agent or the zone is busy. Try again later.",
  zone_unavailable: "The zone can't work now.",
  unauthorized:
    "The zone needs CROSSZONE_LINK_TOKEN: its EXECUTION_TOKEN. `./crosszone` sets it for `./crosszone dev`.",
};

/** Returns the error text of a failed question: a sentence, the agent's own message, the owner's detail, and the reference for the logs. */
function questionProblem({ message, data }: QuestionError): string {
  const { kind, agent_says, owner_detail, correlation_id, problems = [] } = data;
  const why = kind === "zone_unavailable" ? problems.map((problem) => ` Cause: ${problem.message}.`).join("") : "";
  const lines = [harmlessLine(`${(kind && sentences[kind]) ?? message}${why}`)];
  if (agent_says !== undefined) lines.push(`The agent says: ${harmless(agent_says)}`);
  if (owner_detail !== undefined) lines.push(`Detail: ${harmless(owner_detail)}`);
  if (correlation_id !== undefined) lines.push(`Reference: ${harmlessLine(correlation_id)}`);
  return `${lines.join("\n")}\n`;
}
