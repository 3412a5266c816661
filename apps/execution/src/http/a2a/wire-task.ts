import {
  type Artifact,
  defined,
  type TaskState,
  type TaskStatus,
  type WireMessage,
  type WireTask,
} from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import { errorTable, type InputRequest, type TaskState as ZoneTaskState } from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit";
import { type AskedTask, decidersSentence } from "../../ask/asked-task.ts";
import { mayVote } from "../../inputs/voters.ts";
import { hitlRequestOf } from "./hitl-form.ts";

const states = {
  submitted: "WORKING",
  working: "WORKING",
  input_required: "INPUT_REQUIRED",
  success: "COMPLETED",
  error: "FAILED",
  timed_out: "FAILED",
  canceled: "CANCELED",
} as const satisfies Record<ZoneTaskState, string>;

/** What a request wants to see of a task. */
export interface TaskSight {
  /** How many messages of the history; all when undefined. */
  readonly historyLength?: number | undefined;
  readonly withArtifacts?: boolean;
  /** Whether the client knows the extension by which agents ask people. */
  readonly hitl: boolean;
}

/** A task that waits for people, and whose requests are all closed, is about to continue. */
export function stateOf({ state, waits, question }: AskedTask): TaskState {
  if (question?.awaits === "authorization") return "TASK_STATE_AUTH_REQUIRED";
  return `TASK_STATE_${state === "input_required" && !waits ? "WORKING" : states[state]}`;
}

/** Returns a task in the JSON of A2A 1.0. */
export function wireTask(task: AskedTask, { historyLength, withArtifacts = true, hitl }: TaskSight): WireTask {
  const { message, ask } = task;
  const artifacts = withArtifacts ? artifactsOf(task) : [];
  const sent = message && { ...message, role: "ROLE_USER" as const, contextId: ask.context_id, taskId: task.task_id };
  return defined({
    id: task.task_id,
    contextId: ask.context_id,
    status: statusOf(task, { hitl }),
    artifacts: artifacts.length > 0 ? artifacts : undefined,
    history: sent === undefined || historyLength === 0 ? undefined : [sent],
    metadata: metadataOf(task),
  });
}

export function statusOf(task: AskedTask, { hitl }: Pick<TaskSight, "hitl">): TaskStatus {
  const state = stateOf(task);
  const message = messageOf(task, state, hitl);
  return defined({ state, timestamp: isoTime(task.changed_at), message });
}

function messageOf(task: AskedTask, state: TaskState, hitl: boolean): WireMessage | undefined {
  if (task.inputs.length > 0) return askingMessage(task, hitl);
  if (task.error === undefined || state === "TASK_STATE_CANCELED") return undefined;
  const { kind, data } = task.error;
  const says = data.agent_says === undefined ? "" : ` It says: ${data.agent_says}`;
  const reference = data.correlation_id === undefined ? "" : ` Reference: ${data.correlation_id}`;
  return statusMessage(task, "end", `${errorTable[kind].title}.${says}${reference}`);
}

/** Returns a message of a status. The same status has the same id for every reader. */
export const statusMessage = (
  { task_id, ask }: Pick<AskedTask, "task_id" | "ask">,
  number: number | string,
  text: string,
): WireMessage => ({
  messageId: `${task_id}.${number}`,
  role: "ROLE_AGENT",
  parts: [{ text }],
  contextId: ask.context_id,
  taskId: task_id,
});

export const answerId = "answer";

const artifactsOf = (task: AskedTask): readonly Artifact[] => [
  ...(task.text === "" ? [] : [{ artifactId: answerId, parts: [{ text: task.text }] }]),
  ...fileArtifacts(task),
];

export const fileArtifacts = ({ answer, files = [] }: AskedTask): readonly Artifact[] =>
  (answer?.files ?? []).flatMap(({ id, name, media_type: mediaType }, index) => {
    const raw = files.find((file) => file.id === id)?.bytes;
    const artifact = { artifactId: `file-${index + 1}`, name };
    return raw === undefined ? [] : [{ ...artifact, parts: [{ raw, mediaType, filename: name }] }];
  });

/** The follow-ups and the usage of an answer, as Crosszone reads them from other agents. */
function metadataOf({ answer }: AskedTask): object | undefined {
  if (answer?.follow_ups === undefined && answer?.usage === undefined) return undefined;
  return defined({ "https://crosszone.dev/follow-ups": answer.follow_ups, usage: answer.usage });
}

/**
 * Returns the message of a task that waits for people: the words and data of its agent, or what the requests say. A client that knows the
 * extension gets requests in its form too, but not words, which any message answers.
 */
function askingMessage({ task_id, ask, inputs, question }: AskedTask, hitl: boolean): WireMessage {
  const text = question?.text ?? inputs.map(textOfRequest).join("\n\n");
  const structured = hitl &&
    question === undefined && {
      extensions: [hitlUri],
      metadata: { [hitlUri]: hitlRequestOf(inputs) },
    };
  return {
    messageId: `${task_id}.${inputs.map(({ seq }) => seq).join(".")}`,
    role: "ROLE_AGENT",
    parts: [{ text }, ...(question?.data ?? []).map((data) => ({ data }))],
    contextId: ask.context_id,
    taskId: task_id,
    ...structured,
  };
}

/** Returns a request as text. The body is often the text of a request in another zone, so it may have the other lines already. */
function textOfRequest(request: InputRequest): string {
  const { title, body = "", options = [], schema, requester = "" } = request;
  const isOwn = mayVote(request, { user_id: requester, groups: [] }, "a2a");
  const choices = options.map(({ value, label }) => (value === label ? `- ${label}` : `- ${label} (${value})`));
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => `- ${name}: ${field?.title ?? name}`);
  const known = new Set(body.split("\n"));
  const isNew = (line: string): boolean => !known.has(line);
  return [
    ...[title].filter(isNew),
    body,
    ...[...choices, ...fields].filter(isNew),
    isOwn ? "" : decidersSentence(request),
  ]
    .filter(Boolean)
    .join("\n");
}
