import type { AskedInput, MessageLife, MessageRecord, ModelCall, TaskLife, TaskRecord } from "@crosszone/contracts";
import { inputStates, type ShownState } from "../words.ts";
import { amountOfCalls, messageStanding, taskLooks, waitsFor } from "./message-words.ts";

/** A row of a message's waterfall. Times are Unix milliseconds. */
export interface Stage {
  readonly key: string;
  readonly name: string;
  /** 1 for what a task did. */
  readonly depth: 0 | 1;
  readonly state: ShownState;
  readonly start: number;
  /** Undefined while it goes on. */
  readonly end: number | undefined;
  /** Moments within it, such as the starts of model calls. */
  readonly marks?: readonly number[];
  /** What happened, how often, and what it cost. */
  readonly text: string;
}

/** Returns what happened to a message in both zones, in the order of its start. Verification's part is missing until it has reported. */
export function lifeStages({ message, tasks }: MessageLife): readonly Stage[] {
  const ofTasks = tasks.toReversed().flatMap(taskStages);
  if (message === undefined) return ofTasks;
  const asked = ofTasks.filter(({ depth }) => depth === 0).at(-1);
  return [...arrivalStages(message), ...ofTasks, ...endStages(message, asked, tasks[0]?.task)];
}

const time = (at: string): number => Date.parse(at);
const timeOrNone = (at: string | undefined): number | undefined => (at === undefined ? undefined : time(at));

/** From Slack to the policy's verdict. */
function arrivalStages({ judged_at, received_at, reason, rule, state, ts }: MessageRecord): Stage[] {
  const received = time(received_at);
  const sent = ts === undefined ? received : Math.min(Number(ts) * 1_000, received);
  const arrival = { key: "slack", name: "Slack", depth: 0, state: "succeeded", start: sent, end: received } as const;
  const judged = timeOrNone(judged_at);
  const isDenied = state === "denied";
  const said = isDenied
    ? `Denied by the rule ${rule ?? "(unknown)"}${reason === undefined ? "" : `: ${reason}`}`
    : "Allowed";
  const verdict = { key: "policy", name: "Policy", depth: 0, start: received, text: said } as const;
  return [
    { ...arrival, text: "Written in Slack, received by verification" },
    ...(judged === undefined && !isDenied
      ? []
      : [{ ...verdict, state: isDenied ? ("failed" as const) : ("succeeded" as const), end: judged ?? received }]),
  ];
}

/** The answer in Slack, and how the message ended without one. */
function endStages(message: MessageRecord, asked: Stage | undefined, task: TaskRecord | undefined): Stage[] {
  const { attempts, ended_at, judged_at, posted_at, reason, received_at, state } = message;
  const start = asked?.end ?? timeOrNone(judged_at) ?? time(received_at);
  const posted = timeOrNone(posted_at);
  const stages: Stage[] = [];
  if (posted !== undefined)
    stages.push({
      key: "posted",
      name: "Posted",
      depth: 0,
      state: "succeeded",
      start: Math.min(start, posted),
      end: posted,
      text: attempts > 1 ? `Answer in Slack after ${String(attempts)} attempts` : "Answer in Slack",
    });
  const ended = timeOrNone(ended_at);
  if (ended === undefined || state === "answered" || state === "denied") return stages;
  const [name, look] = messageStanding(message, task);
  const times = attempts === 1 ? "1 attempt" : `${String(attempts)} attempts`;
  const text = {
    open: "",
    rejected: "",
    parked: `After ${times}; an operator can retry it`,
    given_up: `After ${times}; the requester was told`,
    withdrawn: "Its author deleted it",
  }[state];
  stages.push({
    key: "end",
    name,
    depth: 0,
    state: look,
    start: Math.min(start, ended),
    end: ended,
    text: [text, reason].filter(Boolean).join(": "),
  });
  return stages;
}

/** What a task did: its row, then its model calls, agent calls, steps and requests to people. */
function taskStages({ input_requests, model_calls, steps, task }: TaskLife): Stage[] {
  const { agent, agent_calls = [], attempts, created_at, ended_at, error, state, task_id } = task;
  const [words, look] = taskLooks[state];
  const [start, end] = [time(created_at), timeOrNone(ended_at)];
  const said = error ? `${error.message}${error.detail === undefined ? "" : ` (${error.detail})`}` : words;
  const calls = steps.length > 0 ? agent_calls.filter(({ error_kind }) => error_kind !== undefined) : agent_calls;
  const parts: Stage[] = [
    ...[...Map.groupBy(model_calls, ({ model }) => model)].map(([model, some]) => modelStage(task_id, model, some)),
    ...calls.map((call, at): Stage => {
      const { agent: name, attempts: tries = 1, created_at: began, ended_at: closed, error_kind, error_message } = call;
      const problem = error_message ?? error_kind?.replaceAll("_", " ");
      return {
        key: `${task_id} call ${String(at)}`,
        name: `Agent ${name || agent}`,
        depth: 1,
        state: ({ open: "running", succeeded: "succeeded", failed: "failed", canceled: "canceled" } as const)[
          call.state
        ],
        start: time(began),
        end: timeOrNone(closed),
        text: [
          problem ?? (call.state === "open" ? "Waits for the agent" : ""),
          tries > 1 ? `${String(tries)} attempts` : "",
        ]
          .filter(Boolean)
          .join(" · "),
      };
    }),
    ...steps.flatMap((step): Stage[] =>
      step.started_at === undefined
        ? []
        : [
            {
              key: `${task_id} step ${step.path} ${String(step.attempt)}`,
              name: `Step ${step.path}`,
              depth: 1,
              state: step.state,
              start: time(step.started_at),
              end: timeOrNone(step.ended_at),
              text: [
                step.agent_name ?? step.type.replaceAll("_", " "),
                step.attempt > 1 ? `attempt ${String(step.attempt)}` : "",
              ]
                .filter(Boolean)
                .join(" · "),
            },
          ],
    ),
    ...input_requests.map((request) => inputStage(request)),
  ];
  const asked: Stage = {
    key: task_id,
    name: `Asked ${agent}`,
    depth: 0,
    state: look,
    start,
    end,
    text: attempts > 1 ? `${said} · ${String(attempts)} attempts` : said,
  };
  return [asked, ...parts.toSorted((a, b) => a.start - b.start)];
}

function modelStage(taskId: string, model: string, calls: readonly ModelCall[]): Stage {
  const marks = calls.map(({ at }) => time(at));
  return {
    key: `${taskId} ${model}`,
    name: `Model ${model}`,
    depth: 1,
    state: calls.some(({ estimated }) => estimated) ? "running" : "succeeded",
    start: Math.min(...marks),
    end: Math.max(...marks),
    marks,
    text: amountOfCalls(calls),
  };
}

function inputStage(request: AskedInput): Stage {
  const { created_at, decided_at, decided_by, request_id, state } = request;
  const [words, look] = inputStates[state];
  return {
    key: request_id,
    name: "People",
    depth: 1,
    state: look,
    start: time(created_at),
    end: timeOrNone(decided_at),
    text: state === "open" ? `Waits for ${waitsFor(request)}` : [words, ...decided_by].join(" · "),
  };
}
