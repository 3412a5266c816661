import { checkReply, type Part, RpcError, type WireMessage } from "@crosszone/a2a";
import {
  type Answer,
  type Handler,
  type Message,
  type MessageFile,
  type TaskHandle,
  UserError,
} from "../agent-definition.ts";
import { createRunningTask, type RunningTask, type TaskTimes } from "./running-task.ts";
import { addToHistory, createTaskRecord, isTaskEnded, untilIdle } from "./task-record.ts";

/** Runs a handler to its end. Never rejects: errors go to `onError`, and their text only if the handler means it for people. */
async function runHandler(
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
async function streamAnswer(answer: Answer, task: TaskHandle): Promise<string> {
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
function messageFor({ messageId, parts, metadata, ...ids }: WireMessage, caller: string): Message {
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

/** Characters of the messages and answers of all tasks, beyond which ended tasks are dropped. */
const maxKept = 64 * 1024 * 1024;

/** Identifies a task or message of a caller. */
export interface Key {
  readonly owner: string;
  readonly id: string;
}

/** Keeps tasks in memory, up to a number. */
export function createTaskStore(maxTasks: number) {
  const tasks = new Map<string, RunningTask>();
  const messages = new Map<string, RunningTask>();
  const messagesOf = new WeakMap<RunningTask, string[]>();
  const drop = (running: RunningTask): void => {
    tasks.delete(running.record.id);
    for (const key of messagesOf.get(running) ?? []) messages.delete(key);
  };
  const dropOldest = (wanted: (running: RunningTask) => boolean): boolean => {
    const dropped = [...tasks.values()].find(wanted);
    dropped?.fail("The agent has no room for more open questions.");
    if (dropped) drop(dropped);
    return dropped !== undefined;
  };
  return {
    /** Undefined for a task that is unknown, dropped or belongs to another caller. */
    find: ({ owner, id }: Key): RunningTask | undefined => {
      const running = tasks.get(id);
      return running?.record.owner === owner ? running : undefined;
    },
    /** The task that a message started or continued. */
    ofMessage: (key: Key): RunningTask | undefined => messages.get(textOf(key)),
    all: (): Iterable<RunningTask> => tasks.values(),
    /** Throws an `RpcError` when all places are taken by tasks that run. */
    makeRoom: (): void => {
      while (sizeOf(tasks.values()) > maxKept && dropOldest(hasEnded));
      if (tasks.size >= maxTasks && !dropOldest(hasEnded) && !dropOldest(isWaiting))
        throw unavailable("The agent is busy with other tasks.");
    },
    add: (running: RunningTask): void => void tasks.set(running.record.id, running),
    addMessage: (key: Key, running: RunningTask): void => {
      messages.set(textOf(key), running);
      messagesOf.set(running, [...(messagesOf.get(running) ?? []), textOf(key)]);
    },
  };
}

const hasEnded = ({ record }: RunningTask): boolean => isTaskEnded(record);

const isWaiting = ({ record }: RunningTask): boolean => record.status.state === "TASK_STATE_INPUT_REQUIRED";

const textOf = ({ owner, id }: Key): string => JSON.stringify([owner, id]);

function sizeOf(tasks: Iterable<RunningTask>): number {
  let size = 0;
  for (const { record } of tasks) size += record.size + record.receivedSize;
  return size;
}

export type TaskService = ReturnType<typeof createTaskService>;

/** Starts tasks and continues them. Callers see only their own. */
export function createTaskService({
  handler,
  maxTasks,
  onError,
  ...times
}: TaskTimes & {
  readonly handler: Handler;
  readonly maxTasks: number;
  readonly onError: (error: unknown, taskId: string) => void;
}) {
  const store = createTaskStore(maxTasks);
  let isDraining = false;

  const start = (owner: string, message: WireMessage): RunningTask => {
    if (isDraining) throw unavailable("The agent is stopping.");
    store.makeRoom();
    const record = createTaskRecord({ owner, contextId: message.contextId ?? crypto.randomUUID() });
    const running = createRunningTask(record, times);
    store.add(running);
    const received = receive(running, message);
    // After the first reader of the task's events, so that each stream begins with a working task.
    queueMicrotask(() => void runHandler(handler, { running, message: received }, onError));
    return running;
  };

  const receive = ({ record }: RunningTask, message: WireMessage): Message => {
    const received = { ...message, taskId: record.id, contextId: record.contextId };
    addToHistory(record, received);
    return messageFor(received, record.owner);
  };

  /** Throws an `RpcError` for a task that doesn't exist or belongs to another caller. */
  const find = (key: Key): RunningTask => {
    const running = store.find(key);
    if (!running) throw new RpcError("TASK_NOT_FOUND", "The task does not exist.");
    return running;
  };

  const proceed = (running: RunningTask, message: WireMessage): RunningTask => {
    const { contextId, status } = running.record;
    const asks = status.state === "TASK_STATE_INPUT_REQUIRED";
    checkReply(message, { contextId, hasEnded: isTaskEnded(running.record), asks });
    running.answer(receive(running, message));
    return running;
  };

  return {
    all: store.all,
    find,
    /**
     * Starts a task with a message, or continues one that asks a question. A message that was received before changes
     * nothing. Throws an `RpcError` when the task doesn't exist, doesn't wait for a message, or has another context.
     */
    send: (owner: string, message: WireMessage): RunningTask => {
      const { taskId, messageId } = message;
      const key = { owner, id: messageId };
      const repeated = store.ofMessage(key);
      if (repeated && (taskId === undefined || taskId === repeated.record.id)) return repeated;
      const running = taskId === undefined ? start(owner, message) : proceed(find({ owner, id: taskId }), message);
      store.addMessage(key, running);
      return running;
    },
    /** Refuses new tasks from now on, and resolves when no task works any more. */
    drain: async (): Promise<void> => {
      isDraining = true;
      await Promise.all([...store.all()].map(({ record }) => untilIdle(record)));
    },
  };
}

/** Returns the error of an agent that takes no task now. */
const unavailable = (message: string): RpcError =>
  new RpcError("UNAVAILABLE", `${message} Try again later.`, { status: 503, headers: { "retry-after": "5" } });
