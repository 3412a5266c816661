import type { StepState, TaskProgress } from "@crosszone/contracts";
import type { StreamChunk, StreamTaskStatus } from "../../slack/slack-api.ts";
import { neutraliseLinks, neutraliseMentions, oneLine } from "../markdown/neutralise.ts";

export type StreamTask = Omit<Extract<StreamChunk, { type: "task_update" }>, "type">;

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

/** The id of the task that represents the whole work. */
const workId = "crosszone";
const workTitle = "Working on it";
/** Characters. */
const longestTitle = 80;
const longestText = 200;
/** Maximum characters of all titles: Slack counts them towards the length of the message. */
const mostCharacters = 2_000;
/** EM SPACE, for nested steps. */
const indent = "\u2003";
const deepest = 6;

/** Returns the task that represents the whole work, with the agent's status text. */
export function workTask({ text = "", more = 0 }: Partial<TaskProgress> = {}): StreamTask {
  const said = plainTitle(text, longestText);
  const rest = more > 0 ? ` (and ${more} more ${more === 1 ? "step" : "steps"})` : "";
  return { id: workId, title: `${workTitle}${said === "" ? "" : `: ${said}`}${rest}`, status: "in_progress" };
}

/** Returns a task's progress as tasks of a streamed message, in order. Steps that do not fit are counted. */
export function stepTasks(progress: TaskProgress): StreamTask[] {
  const known = new Map<string, number>();
  let room = mostCharacters;
  const tasks = progress.steps.flatMap(({ id, title, state, depth, done, total }): StreamTask[] => {
    const times = (known.get(id) ?? 0) + 1;
    known.set(id, times);
    const name = plainTitle(title, longestTitle) || plainTitle(id, longestTitle);
    const count = done === undefined || total === undefined ? "" : ` (${done}/${total})`;
    const shown = `${indent.repeat(Math.min(depth, deepest))}${name}${count}${remarks[state] ?? ""}`;
    room -= shown.length;
    if (room < 0) return [];
    return [{ id: `step ${id}${times > 1 ? ` ${times}` : ""}`, title: shown, status: statuses[state] }];
  });
  const more = (progress.more ?? 0) + progress.steps.length - tasks.length;
  return [workTask({ ...progress, more }), ...tasks];
}

/** Titles are plain text, but Slack may parse mentions and links in them. */
function plainTitle(text: string, longest: number): string {
  return neutraliseLinks(neutraliseMentions(oneLine(text, longest)));
}
