import type { Part, WireMessage } from "@crosszone/a2a";
import {
  type Answer,
  type Handler,
  type Message,
  type MessageFile,
  type Task,
  UserError,
} from "../agent-definition.ts";
import type { RunningTask } from "./running-task.ts";

/** Runs a handler to its end. Never rejects: errors go to `onError`, and their text only if the handler means it for people. */
export async function runHandler(
  handler: Handler,
  { running, message }: { readonly running: RunningTask; readonly message: Message },
  onError: (error: unknown, taskId: string) => void,
): Promise<void> {
  const { task } = running;
  try {
    running.complete(await streamAnswer(await handler(message, task), task));
  } catch (error) {
    if (task.signal.aborted) return;
    const isForPeople = error instanceof UserError;
    if (!isForPeople) onError(error, task.id);
    running.fail(isForPeople ? error.message : `The agent could not finish this task. Reference: ${task.id}`);
  }
}

/** Writes the pieces of an answer; returns the text of one that has no pieces. */
async function streamAnswer(answer: Answer, task: Task): Promise<string> {
  if (answer === undefined) return "";
  if (typeof answer === "string") return answer;
  if (!isAsyncIterable(answer))
    throw new TypeError(`A handler returns a string, an async iterable of strings or nothing, got ${typeof answer}.`);
  for await (const piece of answer) {
    if (task.signal.aborted) break;
    task.write(piece);
  }
  return "";
}

const isAsyncIterable = (answer: unknown): answer is AsyncIterable<string> =>
  typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;

/** Returns a message as handlers see it. */
export function messageFor({ messageId, parts, metadata, ...ids }: WireMessage, caller: string): Message {
  const texts: string[] = [];
  const data: unknown[] = [];
  const files: MessageFile[] = [];
  for (const part of parts) {
    if (part.text !== undefined) texts.push(part.text);
    else if (part.raw === undefined && part.url === undefined) data.push(part.data);
    else files.push(fileOf(part));
  }
  return {
    messageId,
    text: texts.join("\n"),
    data,
    files,
    contextId: ids.contextId ?? "",
    taskId: ids.taskId ?? "",
    metadata: { ...metadata },
    caller,
  };
}

const fileOf = ({ raw, url, filename, mediaType }: Part): MessageFile => ({
  name: filename,
  mediaType,
  ...(raw === undefined ? { url: url ?? "" } : { bytes: Buffer.from(raw, "base64") }),
});
