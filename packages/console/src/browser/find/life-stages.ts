import type {
  AgentCall,
  AskedInput,
  MessageLife,
  MessageRecord,
  ModelCall,
  TaskLife,
  ServedToolCall,
} from "@crosszone/contracts";
import { asksBack, callsCutText } from "@crosszone/service-kit/text";
import {
  inputStates,
  type NameOf,
  personText,
  shownStepState,
  type ShownState,
  timesText,
  callsText,
  typeName,
} from "../words.ts";
import { amountOfCalls, messageLooks, taskLooks, waitsFor } from "./message-words.ts";

/** A row of a message's waterfall. Times are Unix milliseconds. */
export interface Stage {
  readonly key: string;
  readonly name: string;
  /** Whether it is a part of a task. */
  readonly isPart: boolean;
  readonly state: ShownState;
  readonly start: number;
  /** Undefined while it goes on. */
  readonly end: number | undefined;
  /** The parts of it that something went on: each call of a model or a tool. */
  readonly spans?: readonly (readonly [from: number, to: number | undefined])[];
  /** What happened, how often, and what it cost. */
  readonly text: string;
  /** The page that says more. */
  readonly href?: string;
}

const agentPath = (name: string): string => `/console/agents/${encodeURIComponent(name)}`;

type Time = string | number | undefined;

const ms = (time: string | number): number => (typeof time === "string" ? Date.parse(time) : time);

/** `texts`: those that are undefined or empty are left out. */
function stage(
  what: { readonly key: string; readonly name: string; readonly state: ShownState; readonly isPart?: boolean },
  [from, to]: readonly [from: string | number, to: Time],
  texts: readonly (string | undefined)[],
): Stage {
  const [start, end] = [ms(from), to === undefined ? undefined : ms(to)];
  const text = texts.filter((part) => part !== undefined && part !== "").join(" · ");
  // Clocks differ: an end can be before its start.
  return { isPart: false, ...what, start: Math.min(start, end ?? start), end, text };
}

/** Returns what happened to a message in both zones, in order. Verification's part is missing until it has reported. */
export function lifeStages({ message, standing, tasks }: MessageLife, names: NameOf): readonly Stage[] {
  const ofTasks = tasks.toReversed().flatMap((life) => taskStages(life, names));
  if (message === undefined) return ofTasks;
  return [...arrivalStages(message), ...ofTasks, ...endStages({ ...message, standing }, tasks[0])];
}

/** From Slack to the policy's verdict. */
function arrivalStages({ judged_at, received_at, reason, rule, state, ts }: MessageRecord): Stage[] {
  const sent = ts === undefined ? received_at : Math.min(Number(ts) * 1_000, ms(received_at));
  const arrival = stage(
    { key: "slack", name: "Slack", state: "succeeded" },
    [sent, received_at],
    ["Written, received"],
  );
  const isDenied = state === "denied";
  if (judged_at === undefined && !isDenied) return [arrival];
  const said = isDenied ? ["Denied", rule && `rule ${rule}`, reason] : ["Allowed"];
  const verdict = { key: "policy", name: "Policy", state: isDenied ? "failed" : "succeeded" } as const;
  return [arrival, stage(verdict, [received_at, judged_at ?? received_at], said)];
}

/** The answer in Slack, and how the message ended without one. */
function endStages(message: MessageRecord & Pick<MessageLife, "standing">, newest: TaskLife | undefined): Stage[] {
  const { attempts, ended_at, judged_at, posted_at, reason, received_at, state, standing = state } = message;
  const from = newest?.task.ended_at ?? judged_at ?? received_at;
  const times = attempts > 1 ? timesText(attempts) : undefined;
  const posted = { key: "posted", name: "Posted", state: "succeeded" } as const;
  const said = state === "answered" && standing !== "answered" ? [messageLooks[standing][0], reason] : [];
  const answer = posted_at === undefined ? [] : [stage(posted, [from, posted_at], ["Answer in Slack", ...said, times])];
  if (ended_at === undefined || state === "answered" || state === "denied") return answer;
  const [name, look] = messageLooks[standing];
  const advice = {
    parked: "an operator can replay or discard it",
    given_up: "the requester was told",
    withdrawn: "its author deleted it",
    discarded: "an operator discarded it",
  };
  const what = [reason, advice[state as keyof typeof advice] as string | undefined, times];
  return [...answer, stage({ key: "end", name, state: look }, [from, ended_at], what)];
}

/** What a task did: its row, then its calls of models, tools and agents, steps and requests to people, in the order of their start. */
function taskStages(life: TaskLife, names: NameOf): Stage[] {
  const { input_requests, model_calls, of_another, steps, task, tool_calls = [] } = life;
  const { agent, agent_calls = [], attempts, caller, created_at, ended_at, error, state, task_id } = task;
  const [words, look] = taskLooks[state];
  const foreign = of_another === true ? `No part of this: ${caller} chose the same reference` : undefined;
  const said = [foreign, error?.message ?? words, error?.detail, attempts > 1 ? timesText(attempts) : undefined].concat(
    callsCutText(model_calls, tool_calls),
  );
  const isOver = ended_at !== undefined;
  const tools = Map.groupBy(tool_calls, ({ server, tool }) => `Tool ${tool} of ${server}`);
  // The steps of a run say the same as their calls, except why one failed.
  const calls = steps.length > 0 ? agent_calls.filter(({ error_kind }) => error_kind !== undefined) : agent_calls;
  const parts = [
    ...[...Map.groupBy(model_calls, ({ model }) => model).values()].map((of) => modelStage({ calls: of, isOver })),
    ...[...tools].map(([name, of]) => toolStage(name, { calls: of, isOver })),
    ...calls.map(callStage),
    ...steps.flatMap(({ agent_name, attempt, ended_at: end, path, started_at: start, state: of, title, type }) => {
      const what = {
        key: `${path} ${String(attempt)}`,
        name: title === undefined ? path : path.includes(".") ? `${title} (${path})` : title,
        state: shownStepState(of, type),
        isPart: true,
      };
      const doer = agent_name ?? typeName(type);
      const href = agent_name === undefined ? {} : { href: agentPath(agent_name) };
      return start === undefined
        ? []
        : { ...stage(what, [start, end], [doer, attempt > 1 ? `attempt ${String(attempt)}` : ""]), ...href };
    }),
    ...input_requests.map((request) => inputStage(request, names)),
  ];
  const asked = stage({ key: task_id, name: `Asked ${agent}`, state: look }, [created_at, ended_at], said);
  const ownKey = (part: Stage): Stage => ({ ...part, key: `${task_id} ${part.key}` });
  return [asked, ...parts.toSorted((a, b) => a.start - b.start).map(ownKey)];
}

/** Calls of one model or tool. An open one goes on as long as its task does; the end of one that crashed is its start. */
interface Calls<Call> {
  readonly calls: readonly Call[];
  readonly isOver: boolean;
}

function modelStage({ calls, isOver }: Calls<ModelCall>): Stage {
  const state = calls.some(({ estimated }) => estimated) ? "running" : "succeeded";
  const name = `Model ${calls[0]?.model ?? ""}`;
  return callsStage({ name, state, text: amountOfCalls(calls) }, { calls, isOver });
}

/** How calls of a tool end, besides well: the first that one has is the state of all. */
const toolEnds = [
  ["failed", "failed", "failed"],
  ["canceled", "canceled", "stopped"],
  [undefined, "running", "not ended"],
  ["asked", "succeeded", "asked people"],
] as const;

function toolStage(name: string, { calls, isOver }: Calls<ServedToolCall>): Stage {
  const ends = toolEnds.map(([end, look, words]) => {
    const count = calls.filter(({ outcome }) => outcome === end).length;
    return { count, look, words: calls.length === 1 ? words : `${String(count)} ${words}` };
  });
  const told = ends.filter(({ count }) => count > 0);
  const text = [callsText(calls.length), ...told.map(({ words }) => words)].join(" · ");
  return callsStage({ name, state: told[0]?.look ?? "succeeded", text }, { calls, isOver });
}

/** The row of calls of one model or tool. */
function callsStage(
  { name, state, text }: Pick<Stage, "name" | "state" | "text">,
  { calls, isOver }: Calls<Pick<ServedToolCall, "at" | "ended_at">>,
): Stage {
  const spans = calls.map(({ at, ended_at = isOver ? at : undefined }) => {
    return [ms(at), ended_at === undefined ? undefined : ms(ended_at)] as const;
  });
  const from = Math.min(...spans.map(([began]) => began));
  const ends = spans.flatMap(([, end]) => end ?? []);
  const end = ends.length < spans.length ? undefined : Math.max(...ends);
  return { ...stage({ key: name, name, state, isPart: true }, [from, end], [text]), spans };
}

const callLooks = { open: "running", succeeded: "succeeded", failed: "failed", canceled: "canceled" } as const;

function callStage(call: AgentCall, at: number): Stage {
  const { agent, attempts = 1, created_at, ended_at, error_kind, error_message, state } = call;
  const problem = asksBack(error_kind) ? "Asked back" : (error_message ?? error_kind?.replaceAll("_", " "));
  const waits = state === "open" ? "Waits for the agent" : undefined;
  const look = asksBack(error_kind) ? "succeeded" : callLooks[state];
  const what = { key: `call ${String(at)}`, name: `Agent ${agent}`, state: look, isPart: true };
  const said = [problem ?? waits ?? "Its calls", attempts > 1 ? timesText(attempts) : undefined];
  return { ...stage(what, [created_at, ended_at], said), href: agentPath(agent) };
}

function inputStage(request: AskedInput, names: NameOf): Stage {
  const { created_at, decided_at, decided_by, request_id, state } = request;
  const [words, look] = inputStates[state];
  const said =
    state === "open"
      ? [`Waits for ${waitsFor(request, names)}`]
      : [words, ...decided_by.map((id) => personText(id, names))];
  const row = stage({ key: request_id, name: "People", state: look, isPart: true }, [created_at, decided_at], said);
  return { ...row, href: `/console/approvals/${encodeURIComponent(request_id)}` };
}
