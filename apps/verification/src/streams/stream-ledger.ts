import type { TaskProgress } from "@crosszone/contracts";
import { composeStreamed } from "../answers/compose-streamed.ts";
import { neutraliseLinks } from "../answers/neutralise-links.ts";
import type { StreamChunk } from "../slack/stream-chunk.ts";
import { stepTasks, workTask, type StreamTask } from "./step-tasks.ts";

/** What is to be appended next. */
export interface StreamAddition {
  /** At least one. */
  readonly chunks: readonly StreamChunk[];
  /** Notes that Slack has taken the chunks. */
  readonly taken: () => void;
}

/** What a streamed message shows, and what it is to show. Nothing is dropped: what is not appended yet waits here. */
export interface StreamLedger {
  readonly show: (progress: TaskProgress) => void;
  readonly write: (text: string) => void;
  /** Who may be mentioned. */
  readonly admit: (people: ReadonlySet<string>) => void;
  /** What is new since the last addition that was taken; undefined when nothing is. */
  next(): StreamAddition | undefined;
  /** What the message lacks of its final text, as chunks, without links: none when the text does not continue what was appended. */
  rest(final: string): readonly StreamChunk[];
}

/** Characters of a message that ends as a stream; Slack takes 12,000 with the titles of its tasks. */
const longestFinal = 9_500;

/** The first chunk of each stream. */
export const firstChunks: readonly StreamChunk[] = [taskChunk(workTask())];

/**
 * Text is appended only where it extends what was appended byte for byte. Text that changed before that stays as it is, until the final
 * change of the message.
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

/** What `text` adds to `before`; nothing when it does not continue it, or is blank so far. */
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
