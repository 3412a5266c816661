import type { InputRequest, TaskSucceeded } from "@crosszone/contracts";
import type { AgentQuestion } from "../agents/task-paused.ts";
import type { StoredAsk } from "../tasks/sql/asked-tasks.ts";
import type { LoggedEvent } from "../tasks/sql/task-log.ts";
import type { ProgramMessage, Task, TaskError, TaskFileContent } from "../tasks/task.ts";

/** A program's task as its program sees it. */
export interface AskedTask extends Pick<
  StoredAsk,
  "task_id" | "agent" | "state" | "ask" | "created_at" | "changed_at"
> {
  /** The program's message; absent when its key is missing. */
  readonly message: ProgramMessage | undefined;
  /** The answer, or what its agent has shown of it so far. */
  readonly text: string;
  readonly answer?: TaskSucceeded | undefined;
  readonly files?: readonly TaskFileContent[] | undefined;
  readonly error?: TaskError | undefined;
  /** What it needs from people, open requests, while its state is `input_required`. */
  readonly inputs: readonly InputRequest[];
  /** What its agent asks in words, if the only request is that. */
  readonly question?: AgentQuestion | undefined;
  /** URL of the page of the run that waits, if it has one. */
  readonly page?: string;
  /** The last event that `text` contains. */
  readonly seq: number;
}

/** Events of one run have numbers of the same thousand million. */
const eventsPerRun = 1_000_000_000;

/** The number of the event of a task's end, after all others. */
export const endSeq = Number.MAX_SAFE_INTEGER;

/** Returns the number before the first event of an event's run. */
export const runOf = (seq: number): number => Math.floor(seq / eventsPerRun) * eventsPerRun;

/** Returns the number of the event of a task's pause: after the last event of its run, before those of the next one. */
export const pauseSeq = ({ paused }: Task, lastSeq: number): number =>
  Math.max(runOf(lastSeq) + eventsPerRun, (paused?.pauses ?? 0) * eventsPerRun) - 1;

/** Returns where people decide what a program can't answer. */
export const placeOfPeople = ({ page }: AskedTask): string =>
  `${page === undefined ? "" : `at ${page}, `}in Slack or with \`crosszone inputs\``;

/** Returns the text of a task's last run, from the events of its log. */
export function textOfEvents(events: readonly LoggedEvent[], before = ""): string {
  let text = before;
  for (const event of events) if (event.type === "text") text = text.slice(0, event.offset) + event.delta;
  return text;
}

/** Returns a task as its program sees it, with what its log shows. */
export function viewTask(
  { task_id, agent, state, ask, created_at, changed_at, params, outcome, paused }: StoredAsk,
  { events, inputs }: { readonly events: readonly LoggedEvent[]; readonly inputs: readonly InputRequest[] },
): AskedTask {
  const seen = { task_id, agent, state, ask, created_at, changed_at, message: params?.message ?? outcome?.message };
  const text = textOfEvents(events);
  const seq = outcome === undefined ? (events.at(-1)?.seq ?? 0) : endSeq;
  if (outcome === undefined)
    return { ...seen, text, inputs, question: inputs.length > 0 ? paused?.question : undefined, seq };
  if ("error" in outcome) return { ...seen, text, error: outcome.error, inputs: [], seq };
  const { answer, files } = outcome;
  return { ...seen, text: answer.response_text, answer, files, inputs: [], seq };
}
