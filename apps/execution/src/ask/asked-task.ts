import type { InputRequest, TaskSucceeded } from "@crosszone/contracts";
import type { AgentQuestion } from "../agents/task-paused.ts";
import { isProgram, knownVoters, needsSlack } from "../inputs/voters.ts";
import type { FoundAsk, StoredAsk } from "../tasks/sql/asked-tasks.ts";
import { eventsPerRun, type LoggedEvent, runOf } from "../tasks/sql/task-log.ts";
import type { ProgramMessage, TaskError, TaskFileContent } from "../tasks/task.ts";

/** A program's task as its program sees it. */
export interface AskedTask extends Pick<
  StoredAsk,
  "task_id" | "agent" | "state" | "ask" | "created_at" | "changed_at" | "waits"
> {
  /** The program's message; absent when its content was not read, or its key is missing. */
  readonly message: ProgramMessage | undefined;
  /** The answer, or what its agent has shown of it so far. */
  readonly text: string;
  readonly answer?: TaskSucceeded | undefined;
  readonly files?: readonly TaskFileContent[] | undefined;
  readonly error?: TaskError | undefined;
  /** What it needs from people, open requests, while it waits for them. Empty in a list. */
  readonly inputs: readonly InputRequest[];
  /** What its agent asks in words, if the only request is that. */
  readonly question?: AgentQuestion | undefined;
  /** How often it was paused. */
  readonly pauses: number;
  /** The last event that `text` contains. */
  readonly seq: number;
}

/** The number of the event of a task's end, after all others. */
export const endSeq = Number.MAX_SAFE_INTEGER;

/** Returns the number of the event of a task's pause: after the last event of its run, before those of the next one. */
export const pauseSeq = ({ pauses }: AskedTask, lastSeq: number): number =>
  Math.max(runOf(lastSeq) + eventsPerRun, pauses * eventsPerRun) - 1;

/** Returns who decides a request, where and until when, as a sentence. */
export function decidersSentence(request: InputRequest): string {
  const { names = {}, asked_in, expires_at, origin, request_id } = request;
  const { groups, approve } = request.decide;
  const voters = knownVoters(request);
  const people = voters.filter((id) => !isProgram(id)).map((id) => names[id] ?? id);
  const inSlack = [...people, ...groups.map((id) => `members of the user group ${id}`)].join(" or ");
  const programs = voters.filter(isProgram).join(" or ");
  const ways = [
    inSlack && `${inSlack} in Slack${asked_in === undefined ? "" : " (direct message from the app)"}`,
    programs && `${programs} with \`crosszone inputs answer ${request_id}\``,
  ];
  const count = approve > 1 ? ` ${approve} votes are needed.` : "";
  const isLater = origin !== undefined && asked_in === undefined && inSlack !== "";
  const later = isLater ? " Verification asks them as soon as it is connected." : "";
  return `Decided by ${ways.filter(Boolean).join(", or ")}, until ${expires_at}.${count}${later}`;
}

/** How long a text waits for the names of those who are asked in Slack, milliseconds. */
const askingMs = 3_000;

/** Whether verification is about to ask those who decide. */
export const isBeingAsked = (request: InputRequest): boolean =>
  request.origin !== undefined &&
  request.asked_in === undefined &&
  needsSlack(request) &&
  Date.now() - Date.parse(request.created_at) < askingMs;

/** Returns the text of a task's last run, from the events of its log. */
export function textOfEvents(events: readonly LoggedEvent[], before = ""): string {
  let text = before;
  for (const event of events) if (event.type === "text") text = text.slice(0, event.offset) + event.delta;
  return text;
}

/** What is read besides a task. */
interface ReadBeside {
  readonly events?: readonly LoggedEvent[];
  readonly inputs?: readonly InputRequest[];
}

/** Returns a task as its program sees it, with what its log shows; without content when that was not read. */
export function viewTask(task: FoundAsk | StoredAsk, { events = [], inputs = [] }: ReadBeside = {}): AskedTask {
  const { task_id, agent, state, ask, created_at, changed_at, waits, params, outcome, paused } = task as StoredAsk;
  const message = params?.message ?? outcome?.message;
  const seen = { task_id, agent, state, ask, created_at, changed_at, waits, message, pauses: paused?.pauses ?? 0 };
  const text = textOfEvents(events);
  const seq = outcome === undefined ? (events.at(-1)?.seq ?? 0) : endSeq;
  if (outcome === undefined)
    return { ...seen, text, inputs, question: inputs.length > 0 ? paused?.question : undefined, seq };
  if ("error" in outcome) return { ...seen, text, error: outcome.error, inputs: [], seq };
  const { answer, files } = outcome;
  return { ...seen, text: answer.response_text, answer, files, inputs: [], seq };
}
