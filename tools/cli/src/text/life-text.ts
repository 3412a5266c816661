import type {
  AgentCall,
  AskedInput,
  MessageLife,
  MessageRecord,
  ModelCall,
  ServedToolCall,
  StepAttempt,
  TaskFailure,
  TaskLife,
  TaskRecord,
} from "@crosszone/contracts";
import { asksBack, callsCutText, namedText, shortId } from "@crosszone/service-kit/text";
import { factsText, harmlessLine, ownName, shortDuration, stateText, table, tookOf } from "./terminal-text.ts";

type Stage = readonly [at: string, stage: string, text: string];

/** Returns the life of a message as text: a line for each stage, with the time since the message arrived. */
export function wayText({ reference, message, names, pending_act, standing, tasks }: MessageLife): string {
  const stages = [...(message ? messageStages({ ...message, standing }) : []), ...tasks.flatMap(taskStages)];
  const ordered = stages.toSorted(([one], [other]) => Date.parse(one) - Date.parse(other));
  const [[first] = [""]] = ordered;
  const rows = ordered.map(([at, stage, text]) => [
    `+${shortDuration(Date.parse(at) - Date.parse(first))}`,
    stage,
    harmlessLine(namedText(text, names)),
  ]);
  const open = message?.state === "open" ? ", open" : "";
  const pending = pending_act === undefined ? "" : `, ${pending_act} requested and not yet done`;
  return `${reference}, ${first}${open}${pending}\n${table(["AFTER", "STAGE", ""], rows)}`;
}

function messageStages(message: MessageRecord & Pick<MessageLife, "standing">): Stage[] {
  const { state, team_id, channel, thread_ts, user_id, received_at, judged_at, posted_at, ended_at } = message;
  const where = channel.startsWith("D") ? "a direct message" : channel;
  const stages: Stage[] = [
    [received_at, "received", `from ${user_id} in ${where}, thread ${thread_ts}, workspace ${team_id}`],
  ];
  if (judged_at !== undefined && state !== "denied") stages.push([judged_at, "judged", "allowed by the policy"]);
  if (posted_at !== undefined) stages.push([posted_at, "posted", "its answer is in Slack"]);
  if (ended_at !== undefined) stages.push([ended_at, (message.standing ?? state).replace("_", " "), endText(message)]);
  return stages;
}

function taskStages({ task, of_another, model_calls, tool_calls = [], input_requests, steps }: TaskLife): Stage[] {
  const { created_at, ended_at, agent, task_id, caller, agent_calls = [], error, state } = task;
  const foreign = of_another === true ? `; no part of this: ${caller} chose the same reference` : "";
  const cut = callsCutText(model_calls, tool_calls);
  const stages: Stage[] = [
    [created_at, "asked", `${agent}, task ${task_id}${foreign}${cut ? `; ${cut}` : ""}`],
    ...model_calls.map(modelStage),
    ...tool_calls.map(toolStage),
  ];
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

function modelStage({ at, ended_at, agent, model, input_tokens, output_tokens, cost }: ModelCall): Stage {
  const took = tookOf({ started_at: at, ended_at });
  const price = cost === null ? "" : `, $${cost}`;
  return [
    at,
    "model",
    `${agent}, ${model}: ${input_tokens} tokens in, ${output_tokens} out${price}${took && `, took ${took}`}`,
  ];
}

const toolEnds = { succeeded: "", failed: ": failed", canceled: ": stopped", asked: ": asked people" };

function toolStage({ at, ended_at, agent, server, tool, outcome }: ServedToolCall): Stage {
  const took = tookOf({ started_at: at, ended_at });
  const end = outcome === undefined ? ": not ended" : toolEnds[outcome];
  return [at, "tool", `${agent}, ${tool} of ${server}${end}${took && `, took ${took}`}`];
}

function stepStages({
  path,
  title = path,
  type,
  agent_name = type,
  state,
  attempt,
  started_at,
  ended_at,
}: StepAttempt): Stage[] {
  const at = ended_at ?? started_at;
  const tries = attempt > 1 ? `, attempt ${attempt}` : "";
  return at === undefined ? [] : [[at, "step", `${title}, ${agent_name}${tries}: ${state}`]];
}

function inputStages({ agent, kind, state, decide, decided_by, created_at, decided_at }: AskedInput): Stage[] {
  const who = [...decide.people, ...decide.groups, ...(decide.requester ? ["the requester"] : [])].join(", ");
  const asked: Stage = [created_at, "waits", `${agent} asks ${who} (${kind})`];
  const by = decided_by.length > 0 ? ` by ${decided_by.join(", ")}` : "";
  return decided_at === undefined ? [asked] : [asked, [decided_at, "decided", `${state}${by}`]];
}

function endText({ state, rule, reason: said, attempts }: MessageRecord): string {
  const reason = said ?? "no reason is stored";
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (state === "denied") return `by the policy's rule ${rule ?? "(unknown)"}: ${reason}`;
  if (state === "rejected" || state === "missed") return reason;
  if (state === "withdrawn") return "its author deleted it";
  if (state === "discarded") return "an operator discarded it";
  if (state === "parked") return `after ${tries}: ${reason}; an operator can replay or discard it`;
  if (state === "answered") return `after ${tries}${said === undefined ? "" : `: ${said}`}`;
  return `after ${tries}; the requester was told`;
}

function triedText({ attempts, state, error_kind, error_message = error_kind }: AgentCall): string {
  const end = asksBack(error_kind) ? "asked back" : (error_message ?? state);
  return `${attempts === undefined ? "" : attempts === 1 ? "1 attempt: " : `${attempts} attempts: `}${end}`;
}

/** Returns a task with its agent calls as text. */
export function taskText(task: TaskRecord): string {
  const { task_id, agent, caller, attempts, error, created_at, ended_at, deadline, correlation_id, run_id } = task;
  const { agent_calls = [] } = task;
  const facts = factsText({
    task: task_id,
    question: task.title,
    agent,
    state: stateText({ ...task, started_at: created_at }),
    error: error && failureText(error),
    detail: error?.detail,
    run: run_id && `${shortId(run_id)} (${ownName} runs show ${shortId(run_id)})`,
    caller,
    user: task.user_id,
    channel: task.channel,
    team: task.team_id ?? task.team,
    attempts: String(attempts),
    created: created_at,
    ended: ended_at,
    deadline: task.state === "input_required" ? "paused" : ended_at === undefined ? deadline : undefined,
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
