import type { A2ATask } from "@crosszone/contracts";
import { randomUUID } from "node:crypto";

/** The oldest task is dropped for a new one. */
const mostTasks = 1_000;

interface Begun {
  readonly id: string;
  readonly contextId: string;
  readonly text: string;
  /** Monotonic milliseconds. */
  readonly doneAt: number;
  canceled: boolean;
}

/** Long-running tasks, in memory. Their state depends on the clock. */
export interface Tasks {
  /** Starts a task. Repeating a message, as after a lost response, returns the same task. */
  begin(messageId: string, what: Pick<Begun, "text" | "contextId"> & { readonly takesMs: number }): A2ATask;
  get(id: unknown): A2ATask | undefined;
  /** Cancels a running task; undefined if none with this id is running. */
  cancel(id: unknown): A2ATask | undefined;
}

export function createTasks(work: (text: string) => string): Tasks {
  const byMessage = new Map<string, Begun>();
  const find = (id: unknown): Begun | undefined => byMessage.values().find((task) => task.id === id);

  function show({ id, contextId, text, doneAt, canceled }: Begun): A2ATask {
    const task = { kind: "task", id, contextId } as const;
    if (canceled) return { ...task, status: { state: "canceled" } };
    if (performance.now() < doneAt) return { ...task, status: { state: "working" } };
    const artifacts = [{ artifactId: "answer", parts: [{ kind: "text" as const, text: work(text) }] }];
    return { ...task, status: { state: "completed" }, artifacts };
  }

  return {
    begin: (messageId, { text, contextId, takesMs }) => {
      const known = byMessage.get(messageId);
      if (known !== undefined) return show(known);
      const begun = { id: randomUUID(), contextId, text, doneAt: performance.now() + takesMs, canceled: false };
      byMessage.set(messageId, begun);
      const [oldest] = byMessage.keys();
      if (byMessage.size > mostTasks && oldest !== undefined) byMessage.delete(oldest);
      return show(begun);
    },
    get: (id) => {
      const task = find(id);
      return task && show(task);
    },
    cancel: (id) => {
      const task = find(id);
      if (task === undefined || task.canceled || performance.now() >= task.doneAt) return undefined;
      task.canceled = true;
      return show(task);
    },
  };
}
