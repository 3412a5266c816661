import { invalid, RpcError, unavailable, type WireMessage } from "@crosszone/a2a";
import type { Handler, Message } from "../agent-definition.ts";
import { untilIdle, createRunningTask, type RunningTask, type TaskTimes } from "./running-task.ts";
import { messageFor, runHandler } from "./run-handler.ts";
import { addToHistory, createTaskRecord, isEnded } from "./task-record.ts";
import { createTaskStore, type Key, type TaskStore } from "./task-store.ts";

export interface TaskServiceOptions extends TaskTimes {
  readonly handler: Handler;
  readonly maxTasks: number;
  readonly onError: (error: unknown, taskId: string) => void;
}

/** Starts tasks and continues them. Callers see only their own. */
export interface TaskService {
  readonly all: TaskStore["all"];
  /**
   * Starts a task with a message, or continues one that asks a question. A message that was received before changes
   * nothing. Throws an `RpcError` when the task doesn't exist, doesn't wait for a message, or has another context.
   */
  readonly send: (owner: string, message: WireMessage) => RunningTask;
  /** Throws an `RpcError` for a task that doesn't exist or belongs to another caller. */
  readonly find: (key: Key) => RunningTask;
  /** Refuses new tasks from now on, and resolves when no task works any more. */
  readonly drain: () => Promise<void>;
}

export function createTaskService({ handler, maxTasks, onError, ...times }: TaskServiceOptions): TaskService {
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

  const find = (key: Key): RunningTask => {
    const running = store.find(key);
    if (!running) throw new RpcError("TASK_NOT_FOUND", "The task does not exist.");
    return running;
  };

  const proceed = (running: RunningTask, message: WireMessage): RunningTask => {
    const { record } = running;
    if (message.contextId !== undefined && message.contextId !== record.contextId)
      throw invalid("message.contextId", "the context of the task, or absent");
    if (isEnded(record)) throw unsupported("The task has ended. Send the message without a task id.");
    if (record.status.state !== "TASK_STATE_INPUT_REQUIRED")
      throw unsupported("The task is working and has asked nothing. Wait until its state is input-required.");
    running.answer(receive(running, message));
    return running;
  };

  return {
    all: store.all,
    find,
    send: (owner, message) => {
      const { taskId, messageId } = message;
      const key = { owner, id: messageId };
      const repeated = store.ofMessage(key);
      if (repeated && (taskId === undefined || taskId === repeated.record.id)) return repeated;
      const running = taskId === undefined ? start(owner, message) : proceed(find({ owner, id: taskId }), message);
      store.addMessage(key, running);
      return running;
    },
    drain: async () => {
      isDraining = true;
      await Promise.all([...store.all()].map(({ record }) => untilIdle(record)));
    },
  };
}

const unsupported = (message: string): RpcError => new RpcError("UNSUPPORTED_OPERATION", message);
