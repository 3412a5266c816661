import { type Artifact, isTerminal, type StreamEvent } from "@crosszone/a2a";
import type { TaskProgress } from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit";
import type { AskedTask } from "../../ask/asked-task.ts";
import type { AskEvent, TaskSettled } from "../../ask/follow-task.ts";
import { type CallContext, eventId } from "./call-context.ts";
import { answerId, fileArtifacts, stateOf, statusMessage, statusOf, wireTask } from "./wire-task.ts";

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
  context: CallContext,
  task: AskedTask,
  {
    historyLength,
    followsPause = false,
  }: { readonly historyLength?: number | undefined; readonly followsPause?: boolean } = {},
): AsyncGenerator<IdentifiedEvent, void> {
  const { ask, request, lastEvent, hitl, signal } = context;
  const { held } = request.asker;
  let { seq, parts } = lastEvent ?? { seq: task.seq, parts: 0 };
  if (lastEvent === undefined) {
    yield { id: eventId({ seq, parts }), event: { task: wireTask(task, { historyLength, hitl }) } };
    if (isTerminal(stateOf(task))) return;
  }
  // Later events need only the ids of the task, and a stream can be open for hours.
  task = { ...task, message: undefined, text: "", inputs: [] };
  held?.release();
  for await (const event of ask.events(request.asker, task.task_id, { seq, signal })) {
    const isLast = event.type === "settled";
    const shown = isLast ? eventsOfEnd(event, hitl) : [eventOf(task, event)];
    for (const [index, one] of shown.entries()) {
      const place = index + 1 < shown.length ? { seq, parts: index + 1 } : { seq: event.seq, parts: 0 };
      if (!isLast || index >= parts) yield { id: eventId(place), event: one };
    }
    const isFirstPause = isLast && event.task.changed_at === task.changed_at && !isTerminal(stateOf(event.task));
    if (isLast && !(followsPause && isFirstPause)) return;
    [seq, parts] = [event.seq, 0];
  }
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
  const { metadata } = wireTask(task, { withArtifacts: false, hitl });
  const status = statusOf(task, { hitl });
  return [...updates, { statusUpdate: { ...idsOf(task), status, ...(metadata && { metadata }) } }];
}

/** The time in the id, a UUID of version 7. The log has no times, and all streams must have the same one. */
const createdAt = ({ task_id }: AskedTask): number => Number.parseInt(task_id.replace("-", "").slice(0, 12), 16);

const textArtifact = (text: string): Artifact => ({ artifactId: answerId, parts: [{ text }] });

const artifactUpdate = (
  task: AskedTask,
  artifact: Artifact,
  { append, isLast = false }: { readonly append: boolean; readonly isLast?: boolean },
): StreamEvent => ({
  artifactUpdate: { ...idsOf(task), artifact, append, ...(isLast && { lastChunk: true as const }) },
});

const idsOf = ({ task_id, ask }: AskedTask) => ({ taskId: task_id, contextId: ask.context_id });

/** The agent's own words, or the steps that have begun with their states. */
function textOfProgress({ text, steps }: TaskProgress): string {
  const begun = steps.filter(({ state }) => state !== "pending");
  return text ?? (begun.map(({ title, state }) => `${title}: ${state}`).join("\n") || "Working");
}
