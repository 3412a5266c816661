import { unavailable } from "@crosszone/a2a";
import type { RunningTask } from "./running-task.ts";
import { isEnded } from "./task-record.ts";

/** Characters of the messages and answers of all tasks, beyond which ended tasks are dropped. */
const maxKept = 64 * 1024 * 1024;

/** Identifies a task or message of a caller. */
export interface Key {
  readonly owner: string;
  readonly id: string;
}

/** Tasks in memory, up to a number. */
export interface TaskStore {
  /** Undefined for a task that is unknown, dropped or belongs to another caller. */
  readonly find: (key: Key) => RunningTask | undefined;
  /** The task that a message started or continued. */
  readonly ofMessage: (key: Key) => RunningTask | undefined;
  readonly all: () => Iterable<RunningTask>;
  /** Throws an `RpcError` when all places are taken by tasks that run. */
  readonly makeRoom: () => void;
  readonly add: (running: RunningTask) => void;
  readonly addMessage: (key: Key, running: RunningTask) => void;
}

export function createTaskStore(maxTasks: number): TaskStore {
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
    find: ({ owner, id }) => {
      const running = tasks.get(id);
      return running?.record.owner === owner ? running : undefined;
    },
    ofMessage: (key) => messages.get(textOf(key)),
    all: () => tasks.values(),
    makeRoom: () => {
      while (sizeOf(tasks.values()) > maxKept && dropOldest(hasEnded));
      if (tasks.size >= maxTasks && !dropOldest(hasEnded) && !dropOldest(isWaiting))
        throw unavailable("The agent is busy with other tasks.");
    },
    add: (running) => void tasks.set(running.record.id, running),
    addMessage: (key, running) => {
      messages.set(textOf(key), running);
      messagesOf.set(running, [...(messagesOf.get(running) ?? []), textOf(key)]);
    },
  };
}

const hasEnded = ({ record }: RunningTask): boolean => isEnded(record);

const isWaiting = ({ record }: RunningTask): boolean => record.status.state === "TASK_STATE_INPUT_REQUIRED";

const textOf = ({ owner, id }: Key): string => JSON.stringify([owner, id]);

function sizeOf(tasks: Iterable<RunningTask>): number {
  let size = 0;
  for (const { record } of tasks) size += record.size + record.receivedSize;
  return size;
}
