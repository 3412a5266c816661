import { ZoneError } from "@crosszone/contracts";
import { type FinalState, type LeasedTask, isFinal, type NewTask, type Task, type TaskOutcome } from "../tasks/task.ts";

interface Kept {
  task: Task;
  owner: string | undefined;
  attempt: number;
  /** Whether no process leases it. */
  silent: boolean;
}

/** Creates the simplest possible model of a task store, for tests that compare with it. Processes crash on request. */
export function createModelTaskStore() {
  const kept = new Map<string, Kept>();
  const byKey = (key: string): Kept | undefined => [...kept.values()].find(({ task }) => task.key === key);
  const holds = (owner: string, { task, attempt }: LeasedTask): Kept | undefined => {
    const found = kept.get(task.task_id);
    const isHeld = found?.owner === owner && found.attempt === attempt && !isFinal(found.task.state);
    return isHeld ? found : undefined;
  };
  const finish = (one: Kept, state: FinalState, outcome: TaskOutcome): Task => {
    const { params: _asked, ...rest } = one.task;
    return (one.task = { ...rest, state, outcome });
  };

  return {
    get: (taskId: string) => kept.get(taskId)?.task,
    create: (owner: string, fresh: NewTask) => {
      const known = byKey(fresh.key);
      if (known) return { task: known.task, created: known.task.task_id === fresh.task_id };
      const { deadline_ms: _ms, handle: _handle, ...asked } = fresh;
      const task: Task = { ...asked, state: "working" };
      kept.set(task.task_id, { task, owner, attempt: 1, silent: false });
      return { task, created: true };
    },
    end: (owner: string, leased: LeasedTask, [state, outcome]: readonly [FinalState, TaskOutcome]) => {
      const found = kept.get(leased.task.task_id);
      const one = holds(owner, leased);
      if (one) return finish(one, state, outcome);
      if (found?.owner === owner && found.attempt === leased.attempt && found.task.state === state) return found.task;
      return undefined;
    },
    cancel: (taskId: string, outcome: TaskOutcome) => {
      const found = kept.get(taskId);
      if (!found) throw new ZoneError("task_not_found");
      if (found.task.state === "canceled") return found.task;
      if (isFinal(found.task.state)) throw new ZoneError("invalid_state_transition");
      found.owner = undefined;
      return finish(found, "canceled", outcome);
    },
    lost: (owner: string, leased: readonly LeasedTask[]) => leased.filter((one) => !holds(owner, one)),
    release: (owner: string, leased: readonly LeasedTask[]) => {
      for (const one of leased.map((each) => holds(owner, each)))
        if (one) Object.assign(one, { owner: undefined, attempt: one.attempt - 1, silent: true });
    },
    /** Leases all tasks that no process leases. */
    take: (owner: string) => {
      const free = [...kept.values()].filter(({ task, silent }) => silent && !isFinal(task.state));
      for (const one of free) {
        one.attempt += 1;
        Object.assign(one, { owner, silent: false });
      }
      return free.map(({ task, attempt }) => ({ task, attempt }));
    },
    /** The task's process was declared dead. */
    silence: (taskId: string) => {
      const found = kept.get(taskId);
      if (found && !isFinal(found.task.state)) Object.assign(found, { owner: undefined, silent: true });
    },
  };
}
