import type { TaskProgress } from "@crosszone/contracts";
import { composeStreamed } from "../markdown/compose-unfinished.ts";
import { neutraliseLinks } from "../markdown/neutralise.ts";
import type { StreamChunk } from "../../slack/slack-api.ts";
import { stepTasks, workTask, type StreamTask } from "./step-tasks.ts";

/** The next append. */
export interface StreamAddition {
  /** At least one. */
  readonly chunks: readonly StreamChunk[];
  /** Records that Slack has accepted the chunks. */
  readonly taken: () => void;
}

/** Tracks the shown and the wanted content of a streamed message. Nothing is dropped: content waits here until it is appended. */
export interface StreamLedger {
  readonly show: (progress: TaskProgress) => void;
  readonly write: (text: string) => void;
  /** Sets the people that can be mentioned. */
  readonly admit: (people: ReadonlySet<string>) => void;
  /** Returns what is new since the last accepted append; undefined if nothing is. */
  next(): StreamAddition | undefined;
  /** Returns the missing rest of the final text as chunks, without links; empty if the text does not continue what was appended. */
  rest(final: string): readonly StreamChunk[];
}

/** Maximum characters of a message that ends as a stream; Slack's limit is 12,000 with its tasks' titles. */
const longestFinal = 9_500;

/** The first chunk of each stream. */
export const firstChunks: readonly StreamChunk[] = [taskChunk(workTask())];

/**
 * Appends text only where it extends the appended text byte for byte. Text that changed before that point stays until the final edit of the
 * message.
 */
export function createStreamLedger(): StreamLedger {
  const shown = new Map<string, string>([keyed(workTask())]);
  let tasks: readonly StreamTask[] = [workTask()];
  let written = "";
  let appended = "";
  let people: ReadonlySet<string> = new Set();

  return {
    show: (progress) => {
      tasks = stepTasks(progress);
    },
    write: (text) => {
      written = text;
    },
    admit: (admitted) => {
      people = admitted;
    },
    next: () => {
      const changed = tasks.filter((task) => shown.get(task.id) !== keyed(task)[1]);
      const text = extension(appended, composeStreamed(written, people));
      const chunks = [...changed.map(taskChunk), ...textChunks(text)];
      if (chunks.length === 0) return undefined;
      const taken = (): void => {
        for (const task of changed) shown.set(...keyed(task));
        appended += text;
      };
      return { chunks, taken };
    },
    rest: (final) => (final.length > longestFinal ? [] : textChunks(extension(appended, neutraliseLinks(final)))),
  };
}

/** Returns the text that `text` adds to `before`; empty if it does not continue it, or is blank so far. */
function extension(before: string, text: string): string {
  return text.startsWith(before) && text.trim() !== "" ? text.slice(before.length) : "";
}

function textChunks(text: string): StreamChunk[] {
  return text === "" ? [] : [{ type: "markdown_text", text }];
}

function taskChunk(task: StreamTask): StreamChunk {
  return { type: "task_update", ...task };
}

function keyed(task: StreamTask): [id: string, content: string] {
  return [task.id, `${task.status} ${task.title}`];
}
