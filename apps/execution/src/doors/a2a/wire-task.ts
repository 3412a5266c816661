import {
  agentMessage,
  type Artifact,
  defined,
  isTerminal,
  type StreamEvent,
  type TaskState,
  type TaskStatus,
  type WireMessage,
  type WireTask,
} from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import {
  errorTable,
  type InputRequest,
  type TaskProgress,
  type TaskState as ZoneTaskState,
} from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit";
import { mayVote } from "../../people/input-record.ts";
import { type AskedTask, type AskEvent, waitSentence, type TaskSettled } from "../../tasks/ask/asked-task.ts";
import { type ProgramCall, eventId } from "./program-call.ts";
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

/** A task that waits for people, and whose requests are all closed, is about to continue. */
function wireState({ state, waits, question }: AskedTask): TaskState {
  if (question?.awaits === "authorization") return "TASK_STATE_AUTH_REQUIRED";
  return `TASK_STATE_${state === "input_required" && !waits ? "WORKING" : states[state]}`;
}

/** Returns a task in the JSON of A2A 1.0. `hitl`: whether the client knows the extension by which agents ask people. */
export function wireTask(task: AskedTask, hitl: boolean): WireTask {
  const { message, ask } = task;
  const artifacts = artifactsOf(task);
  const sent = message && { ...message, role: "ROLE_USER" as const, contextId: ask.context_id, taskId: task.task_id };
  return defined({
    id: task.task_id,
    contextId: ask.context_id,
    status: statusOf(task, hitl),
    artifacts: artifacts.length > 0 ? artifacts : undefined,
    history: sent && [sent],
    metadata: metadataOf(task),
  });
}

function statusOf(task: AskedTask, hitl: boolean): TaskStatus {
  const state = wireState(task);
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
const statusMessage = (task: AskedTask, number: number | string, text: string): WireMessage =>
  agentMessage(idsOf(task), `${task.task_id}.${number}`, [{ text }]);

const answerId = "answer";

const artifactsOf = (task: AskedTask): readonly Artifact[] =>
  task.text === "" ? fileArtifacts(task) : [textArtifact(task.text), ...fileArtifacts(task)];

const fileArtifacts = ({ answer, files = [] }: AskedTask): readonly Artifact[] =>
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
function askingMessage(task: AskedTask, hitl: boolean): WireMessage {
  const { task_id, inputs, question } = task;
  const { data = [] } = question ?? {};
  const text = question?.text ?? inputs.map(textOfRequest).join("\n\n");
  const structured = hitl &&
    question === undefined && {
      extensions: [hitlUri],
      metadata: { [hitlUri]: hitlRequestOf(inputs) },
    };
  const id = `${task_id}.${inputs.map(({ seq }) => seq).join(".")}`;
  return { ...agentMessage(idsOf(task), id, [{ text }, ...data.map((one) => ({ data: one }))]), ...structured };
}

/** Returns a request as text. The body is often the text of a request in another zone, so it may have the other lines already. */
function textOfRequest(request: InputRequest): string {
  const { title, body = "", options = [], schema, requester = "" } = request;
  const isOwn = mayVote(request, { user_id: requester, groups: [] }, "a2a");
  const choices = options.map(({ value, label }) => (value === label ? `- ${label}` : `- ${label} (${value})`));
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => `- ${name}: ${field?.title ?? name}`);
  const known = new Set(body.split("\n"));
  const isNew = (line: string): boolean => !known.has(line);
  return [...[title].filter(isNew), body, ...[...choices, ...fields].filter(isNew), isOwn ? "" : waitSentence(request)]
    .filter(Boolean)
    .join("\n");
}

/** An event and the id by which a client continues after it. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly event: StreamEvent;
}

/**
 * Yields the task as it is, then its events until it has ended or waits for people; with `followsPause` until it has ended or waits again. A
 * stream that continues begins after its last event, and all streams of a task have the same events with the same ids.
 */
export async function* streamTask(
  { ask, request, lastEvent, hitl, signal }: ProgramCall,
  task: AskedTask,
  followsPause = false,
): AsyncGenerator<IdentifiedEvent, void> {
  const { held } = request.asker;
  let { seq, parts } = lastEvent ?? { seq: task.seq, parts: 0 };
  if (lastEvent === undefined) {
    yield { id: eventId({ seq, parts }), event: { task: wireTask(task, hitl) } };
    if (isTerminal(wireState(task))) return;
  }
  // Later events need only the ids of the task, and a stream can be open for hours.
  task = { ...task, message: undefined, text: "", inputs: [] };
  held?.release();
  for await (const event of ask.events(request.asker, task.task_id, { seq, signal })) {
    signal.throwIfAborted();
    const isLast = event.type === "settled";
    const shown = isLast ? eventsOfEnd(event, hitl) : [eventOf(task, event)];
    for (const [index, one] of shown.entries()) {
      const place = index + 1 < shown.length ? { seq, parts: index + 1 } : { seq: event.seq, parts: 0 };
      if (!isLast || index >= parts) yield { id: eventId(place), event: one };
    }
    const isFirstPause = isLast && event.task.changed_at === task.changed_at && !isTerminal(wireState(event.task));
    if (isLast && !(followsPause && isFirstPause)) return;
    [seq, parts] = [event.seq, 0];
  }
  signal.throwIfAborted();
}

/** An event without the end. A text at the beginning replaces what an earlier run has shown. */
function eventOf(task: AskedTask, event: Exclude<AskEvent, TaskSettled>): StreamEvent {
  if (event.type === "text") return artifactUpdate(task, textArtifact(event.delta), { append: event.offset > 0 });
  const message = statusMessage(task, event.seq, textOfProgress(event.progress));
  const status = { state: "TASK_STATE_WORKING" as const, timestamp: isoTime(createdAt(task)), message };
  return { statusUpdate: { ...idsOf(task), status } };
}

/** The rest of the answer, its files, and the status. */
function eventsOfEnd({ task, shown }: TaskSettled, hitl: boolean): readonly StreamEvent[] {
  const updates: StreamEvent[] = [];
  if (task.answer !== undefined) {
    const isContinued = shown !== "" && task.text.startsWith(shown);
    const rest = isContinued ? task.text.slice(shown.length) : task.text;
    const update = { append: isContinued, isLast: true };
    if (rest !== "") updates.push(artifactUpdate(task, textArtifact(rest), update));
    for (const file of fileArtifacts(task)) updates.push(artifactUpdate(task, file, { append: false, isLast: true }));
  }
  const status = statusOf(task, hitl);
  return [...updates, { statusUpdate: defined({ ...idsOf(task), status, metadata: metadataOf(task) }) }];
}

/** The time in the id, a UUID of version 7. The log has no times, and all streams must have the same one. */
const createdAt = ({ task_id }: AskedTask): number => Number.parseInt(task_id.replace("-", "").slice(0, 12), 16);

const textArtifact = (text: string): Artifact => ({ artifactId: answerId, parts: [{ text }] });

const artifactUpdate = (
  task: AskedTask,
  artifact: Artifact,
  { append, isLast = false }: { readonly append: boolean; readonly isLast?: boolean },
): StreamEvent => ({
  artifactUpdate: defined({ ...idsOf(task), artifact, append, lastChunk: isLast ? (true as const) : undefined }),
});

const idsOf = ({ task_id, ask }: AskedTask) => ({ taskId: task_id, contextId: ask.context_id });

/** The agent's own words, or the steps that have begun with their states. */
function textOfProgress({ text, steps }: TaskProgress): string {
  const begun = steps.filter(({ state }) => state !== "pending");
  return text ?? (begun.map(({ title, state }) => `${title}: ${state}`).join("\n") || "Working");
}
