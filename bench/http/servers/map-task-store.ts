import { ZoneError } from "@crosszone/contracts";
import { LeaseLostError, type ExecutionDeps, type Task, type TaskStore } from "@crosszone/execution";

const mostKept = 10_000;

/** Keeps tasks in a map of this process, and nothing that costs anything: what the zone costs without a database. */
export function createMapTaskStore(): TaskStore {
  const tasks = new Map<string, Task>();
  const ids = new Map<string, string>();
  const keyOf = ({ caller, key }: Pick<Task, "caller" | "key">): string => `${key} ${caller}`;
  const find = (caller: string, key: string): Task | undefined => tasks.get(ids.get(keyOf({ caller, key })) ?? "");

  /** Deletes many at once, because a map iterates over its deleted entries first. */
  function forgetOldest(): void {
    if (tasks.size < 2 * mostKept) return;
    for (const task of tasks.values()) {
      if (tasks.size <= mostKept) return;
      tasks.delete(task.task_id);
      ids.delete(keyOf(task));
    }
  }

  return {
    create: async ({ deadline_ms: _ms, handle: _handle, ...asked }) => {
      const known = find(asked.caller, asked.key);
      if (known) return { task: known, created: false };
      const task: Task = { ...asked, state: "working" };
      tasks.set(task.task_id, task);
      ids.set(keyOf(task), task.task_id);
      forgetOldest();
      return { task, created: true };
    },
    findByKey: async (caller, key) => find(caller, key),
    get: async (taskId) => tasks.get(taskId),
    handleOf: async () => undefined,
    finished: async (taskIds) =>
      taskIds.flatMap((id) => tasks.get(id) ?? []).filter(({ state }) => state !== "working"),
    end: async ({ task: { params: _params, ...kept } }, state, outcome) => {
      const found = tasks.get(kept.task_id);
      if (found?.state !== "working") throw new LeaseLostError(found);
      const ended = { ...kept, state, outcome };
      tasks.set(kept.task_id, ended);
      return ended;
    },
    cancel: async (taskId, outcome) => {
      const found = tasks.get(taskId);
      if (found?.state !== "working") throw new ZoneError("invalid_state_transition", { task_id: taskId });
      const task: Task = { ...found, state: "canceled", outcome };
      tasks.set(taskId, task);
      return { task, canceledAfterMs: 0 };
    },
    recoveredTask: () => {
      throw new Error("this process takes over no task");
    },
    forget: async () => 0,
    oldestOpenMs: async () => 0,
  };
}

/** The jobs of a process without a database: there are none to take over. */
export const noJobs: ExecutionDeps["jobs"] = {
  lease: { leaseMs: 600_000 },
  store: {
    waitingShares: async () => [],
    take: async () => [],
    release: async () => undefined,
    leases: async () => [],
    lost: async () => [],
  },
  join: () => undefined,
};
