import {
  type AgentCall,
  type AskedInput,
  type ListedMessage,
  type MessageLife,
  type MessageRecord,
  type ModelCall,
  type StepAttempt,
  type TaskFailure,
  type TaskLife,
  type TaskRecord,
} from "@crosszone/contracts";
import { isoTime, readSearch, type Search } from "@crosszone/service-kit/text";
import type { ApiClient } from "../api/api-client.ts";
import { onRefused } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, type Session, UsageError, withStates } from "../program/session.ts";
import { waitsText } from "../text/input-text.ts";
import {
  factsText,
  harmlessJson,
  harmlessLine,
  ownName,
  shortDuration,
  stateText,
  table,
} from "../text/terminal-text.ts";
import { unknownReference } from "./unknown-names.ts";

const head = ["AGE", "STATE", "PERSON", "CHANNEL", "AGENT", "TASK", "REFERENCE"];

/** Most messages that are listed: a quarter of an hour of one person. */
const most = 50;

export const findCommand: Command = defineCommand({
  name: "find",
  summary: "Finds a message and shows its life in both zones, but never the question or the answer.",
  operands: ["<reference, link, or person and time...>"],
  options: { json: jsonOption },
  examples: [
    ["crosszone find f8a53243-76d1-…", "by the reference that Slack shows, or the id of a task"],
    ["crosszone find https://acme.slack.com/archives/C0…/p17…", "by the link of the message"],
    ["crosszone find Alice 10:42", "what a person asked about then"],
  ],
  run: async ({ values: { json }, operands }, session) => {
    const search = readSearch(operands.join(" "), Date.now());
    if ("unread" in search) throw new UsageError(search.unread);
    const { messages } = session.api();
    const list = search.kind === "id" ? undefined : await listOf(messages, search);
    const [found, second] = list?.messages ?? [];
    const id = search.kind === "id" ? search.id : found?.message.reference;
    if (id !== undefined && second === undefined) return showLife(await lifeOf(session, id), session, json === true);
    const next = list?.next_cursor === undefined ? "" : `Only the newest ${most}: name a shorter time.\n`;
    return { json: list, text: { head, rows: (list?.messages ?? []).map(rowOf), none: "No messages." }, notice: next };
  },
});

/** Returns the messages of a search. The link of an answer finds the messages of its thread. */
async function listOf({ list }: ApiClient["messages"], search: Exclude<Search, { readonly kind: "id" }>) {
  if (search.kind === "people") {
    const { person, since, until } = search;
    return list({ limit: most, person, since: timeOf(since), until: timeOf(until) });
  }
  const { channel, ts, thread_ts } = search;
  const found = await list({ limit: most, channel, ts });
  return found.messages.length > 0 || thread_ts === undefined ? found : list({ limit: most, channel, ts: thread_ts });
}

const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? ms : isoTime(ms));

function rowOf({ message, task }: ListedMessage): string[] {
  const { received_at, state, user_id, channel, reference } = message;
  const age = shortDuration(Date.now() - Date.parse(received_at));
  return [age, state, user_id, channel, task?.agent ?? "", task?.error?.kind ?? task?.state ?? "", reference];
}

async function lifeOf({ api }: Session, id: string): Promise<MessageLife> {
  const { messages, tasks, run } = api();
  return messages.life(id).catch(
    onRefused("message-not-found", async (refused) => {
      const found = await run(id).catch(() => undefined);
      refused.message = found
        ? `No message started the run ${id}. Show it: ${ownName} runs show ${id}`
        : await unknownReference(tasks, id);
      throw refused;
    }),
  );
}

async function showLife(life: MessageLife, session: Session, isJson: boolean): Promise<typeof exitCodes.done> {
  const { stdout, stderr, env } = session;
  const texts = [wayText(life)];
  for (const { task } of isJson ? [] : life.tasks) {
    const { task_id, state } = task;
    texts.push(
      taskText(task) + waitsText(state === "input_required" ? await session.api().inputs.open({ task_id }) : []),
    );
  }
  stdout.write(isJson ? `${harmlessJson(life)}\n` : withStates(texts.join("\n"), stdout, env));
  if (!life.reported)
    stderr.write("Verification has not reported the message: it is new, came another way, or the zone link is down.\n");
  return exitCodes.done;
}

type Stage = readonly [at: string, stage: string, text: string];

/** Returns the life of a message as text: a line for each stage, with the time since the message arrived. */
function wayText({ reference, message, tasks }: MessageLife): string {
  const stages = [...(message ? messageStages(message) : []), ...tasks.flatMap(taskStages)];
  const ordered = stages.toSorted(([one], [other]) => Date.parse(one) - Date.parse(other));
  const [[first] = [""]] = ordered;
  const rows = ordered.map(([at, stage, text]) => [
    `+${shortDuration(Date.parse(at) - Date.parse(first))}`,
    stage,
    harmlessLine(text),
  ]);
  const open = message?.state === "open" ? ", open" : "";
  return `${reference}, ${first}${open}\n${table(["AFTER", "STAGE", ""], rows)}`;
}

function messageStages(message: MessageRecord): Stage[] {
  const { state, team_id, channel, thread_ts, user_id, received_at, judged_at, posted_at, ended_at } = message;
  const stages: Stage[] = [
    [received_at, "received", `from ${user_id} in ${channel}, thread ${thread_ts}, workspace ${team_id}`],
  ];
  if (judged_at !== undefined && state !== "denied") stages.push([judged_at, "judged", "allowed by the policy"]);
  if (posted_at !== undefined) stages.push([posted_at, "posted", "its answer is in Slack"]);
  if (ended_at !== undefined) stages.push([ended_at, state.replace("_", " "), endText(message)]);
  return stages;
}

function taskStages({ task, model_calls, input_requests, steps }: TaskLife): Stage[] {
  const { created_at, ended_at, agent, task_id, agent_calls = [], error, state } = task;
  const stages: Stage[] = [[created_at, "asked", `${agent}, task ${task_id}`], ...model_calls.map(modelStage)];
  for (const call of agent_calls) {
    const at = call.ended_at ?? call.created_at;
    // The end of a call can be stored a little later than that of its task.
    const end = ended_at ?? at;
    stages.push([at < end ? at : end, "tried", `${call.agent}, ${triedText(call)}`]);
  }
  stages.push(...steps.flatMap(stepStages), ...input_requests.flatMap(inputStages));
  if (ended_at !== undefined) stages.push([ended_at, "ended", error ? failureText(error) : state]);
  return stages;
}

function modelStage({ at, agent, model, input_tokens, output_tokens, cost }: ModelCall): Stage {
  const price = cost === null ? "" : `, $${cost}`;
  return [at, "model", `${agent}, ${model}: ${input_tokens} tokens in, ${output_tokens} out${price}`];
}

function stepStages({ path, type, agent_name = type, state, attempt, started_at, ended_at }: StepAttempt): Stage[] {
  const at = ended_at ?? started_at;
  const tries = attempt > 1 ? `, attempt ${attempt}` : "";
  return at === undefined ? [] : [[at, "step", `${path}, ${agent_name}${tries}: ${state}`]];
}

function inputStages({ agent, kind, state, decide, decided_by, created_at, decided_at }: AskedInput): Stage[] {
  const who = [...decide.people, ...decide.groups, ...(decide.requester ? ["the requester"] : [])].join(", ");
  const asked: Stage = [created_at, "waits", `${agent} asks ${who} (${kind})`];
  const by = decided_by.length > 0 ? ` by ${decided_by.join(", ")}` : "";
  return decided_at === undefined ? [asked] : [asked, [decided_at, "decided", `${state}${by}`]];
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
