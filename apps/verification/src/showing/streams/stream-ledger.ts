import type { StepState, TaskProgress } from "@crosszone/contracts";
import type { KnownBlock } from "@slack/web-api";
import type { StreamChunk, StreamTaskStatus } from "../../slack/slack-api.ts";
import {
  composeStreamed,
  indentOf,
  labelOf,
  longestStatus,
  moreText,
  type ShownSoFar,
} from "../markdown/compose-answer.ts";
import { neutraliseLinks, oneLine, silentText } from "../markdown/neutralise.ts";

type StreamTask = Extract<StreamChunk, { type: "task_update" }>;

const statuses: Readonly<Record<StepState, StreamTaskStatus>> = {
  pending: "pending",
  running: "in_progress",
  succeeded: "complete",
  failed: "error",
  canceled: "complete",
  skipped: "complete",
};
/** Suffixes for states without a Slack status. */
const remarks: Partial<Readonly<Record<StepState, string>>> = { canceled: " (canceled)", skipped: " (skipped)" };

/** The id of the task that represents the whole work, and its title within the plan. */
const type = "task_update";
const workId = "crosszone";
const workTitle = "Answer";
/** The title of the plan while the work goes on. */
const planTitle = "Working on it";
/** Maximum characters of all titles: Slack counts them towards the length of the message. */
const mostCharacters = 2_000;

/** Returns the task that represents the whole work, with the agent's status text. */
function workTask({ text = "", more = 0 }: Partial<TaskProgress> = {}): StreamTask {
  const said = plain(oneLine(text, longestStatus));
  const rest = more > 0 ? ` (${moreText(more)})` : "";
  return { type, id: workId, title: `${workTitle}${said === "" ? "" : `: ${said}`}${rest}`, status: "in_progress" };
}

/** Returns a task's progress as tasks of a streamed message, in order. Steps that do not fit are counted. */
function tasksOf(progress: TaskProgress | undefined): StreamTask[] {
  if (progress === undefined) return [workTask()];
  const known = new Map<string, number>();
  let room = mostCharacters;
  const tasks = progress.steps.flatMap((step): StreamTask[] => {
    const { id, state } = step;
    const times = (known.get(id) ?? 0) + 1;
    known.set(id, times);
    const shown = `${indentOf(step)}${labelOf(step, plain)}${remarks[state] ?? ""}`;
    room -= shown.length;
    if (room < 0) return [];
    return [{ type, id: `step ${id}${times > 1 ? ` ${times}` : ""}`, title: shown, status: statuses[state] }];
  });
  const more = (progress.more ?? 0) + progress.steps.length - tasks.length;
  return [workTask({ ...progress, more }), ...tasks];
}

/** Titles are plain text, but Slack may parse mentions and links in them. */
function plain(text: string): string {
  return neutraliseLinks(silentText(text));
}

/** The final content of a streamed message. */
export interface StreamEnd {
  readonly state: "done" | "failed" | "stopped" | "paused";
  /** The first message of the answer, and what goes above it unless text was appended before: then the title names the agent. */
  readonly text: string;
  readonly name?: string;
  /** The title of the folded plan: what was used, and how long it took. */
  readonly title: string;
  readonly footer?: string;
  readonly controls?: readonly KnownBlock[] | undefined;
  /** The steps at the end, if they are known. */
  readonly progress?: TaskProgress;
}

/** Maximum characters of a message that ends as a stream; Slack's limit is 12,000 with its tasks' titles. */
const longestFinal = 9_500;

export const firstChunks: readonly StreamChunk[] = [{ type: "plan_update", title: planTitle }, workTask()];

/**
 * Tracks the shown and the wanted content of a streamed message. Nothing is dropped: content waits here until it is appended.
 *
 * Appends text only where it extends the appended text byte for byte. Text that changed before that point stays until the final edit of the
 * message. Slack shows the text after a new task as a block of its own, so no sentence is cut for one: the words before a step that goes on
 * are sent before it, and a step that ended in the meantime is added at the end.
 */
export function createStreamLedger() {
  const shown = new Map<string, string>([keyed(workTask())]);
  let appended = "";

  return {
    /** Returns what is new since the last accepted append, to be `taken` when Slack has accepted it; undefined if nothing is. */
    next: ({ text: written, progress, ...shownWith }: ShownSoFar) => {
      const tasks = tasksOf(progress);
      const begun = tasks.filter((task) => shown.has(task.id) || written === "" || isGoingOn(task));
      const changed = begun.filter((task) => shown.get(task.id) !== keyed(task)[1]);
      const isCut = changed.some(({ id }) => !shown.has(id));
      const settled = isCut
        ? composeStreamed({ ...shownWith, text: `${written}\n` }).replace(/\n$/, "")
        : composeStreamed({ ...shownWith, text: written });
      const text = extension(appended, settled);
      const chunks: readonly StreamChunk[] = [...textChunks(text), ...changed];
      if (chunks.length === 0) return undefined;
      const taken = (): void => {
        for (const task of changed) shown.set(...keyed(task));
        appended += text;
      };
      return { chunks, taken };
    },
    /** Returns what ends the message. */
    ending: ({ state, text, name = "", title, progress }: StreamEnd) => {
      const final = appended === "" && name !== "" ? `${name}\n\n${text}` : text;
      const isWhole = final.length <= longestFinal && final.startsWith(appended) && neutraliseLinks(final) === final;
      const last = tasksOf(progress).map((task) => endedTask(task, state));
      const ended = last.filter((task) => shown.get(task.id) !== keyed(task)[1]);
      const rest = isWhole ? textChunks(final.slice(appended.length)) : [];
      const plan = { type: "plan_update" as const, title: plain(oneLine(title, longestStatus)) };
      const chunks: readonly StreamChunk[] = [plan, ...rest, ...ended];
      return { chunks, isWhole };
    },
  };
}

const endings = {
  done: { status: "complete", remark: "" },
  stopped: { status: "complete", remark: " (stopped)" },
  failed: { status: "error", remark: "" },
  paused: { status: "pending", remark: " ⏳" },
} as const satisfies Record<StreamEnd["state"], { status: StreamTaskStatus; remark: string }>;

const isGoingOn = ({ status }: StreamTask): boolean => status === "in_progress" || status === "pending";

/** Returns a task of work that has ended: nothing is in progress any more. Of paused work, a step that has not begun is still to come. */
function endedTask(task: StreamTask, state: StreamEnd["state"]): StreamTask {
  if (!isGoingOn(task) || (state === "paused" && task.status === "pending")) return task;
  const { status, remark } = endings[state];
  return { ...task, status, title: `${task.id === workId ? workTitle : task.title}${remark}` };
}

/** Returns the text that `text` adds to `before`; empty if it does not continue it, or is blank so far. */
function extension(before: string, text: string): string {
  return text.startsWith(before) && text.trim() !== "" ? text.slice(before.length) : "";
}

function textChunks(text: string): StreamChunk[] {
  return text === "" ? [] : [{ type: "markdown_text", text }];
}

function keyed(task: StreamTask): [id: string, content: string] {
  return [task.id, `${task.status} ${task.title}`];
}
