// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ZoneError } from "@crosszone/contracts";
import { endTask, type HeldTask, newTask, releaseTask, succeeded, takeTasks } from "../testing/new-task.ts";
import { openTaskStore } from "./store/task-store.ts";
import { type FinalState, isFinal, type NewTask, type Task, type TaskOutcome } from "./task.ts";

interface Kept {
  task: Task;
  owner: string | undefined;
  attempt: number;
  /** Whether no process leases it. */
  silent: boolean;
}

/** Creates the simplest possible model of a task store, for tests that compare with it. Processes crash on request. */
function createModelTaskStore() {
  const kept = new Map<string, Kept>();
  const byKey = (key: string): Kept | undefined => [...kept.values()].find(({ task }) => task.key === key);
  const holds = (owner: string, { task, attempt }: HeldTask): Kept | undefined => {
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
    end: (owner: string, leased: HeldTask, [state, outcome]: readonly [FinalState, TaskOutcome]) => {
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
    lost: (owner: string, leased: readonly HeldTask[]) => leased.filter((one) => !holds(owner, one)),
    release: (owner: string, leased: readonly HeldTask[]) => {
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

const keys = ["a", "b", "c"];
const key = fc.constantFrom(...keys);
const who = fc.constantFrom(0, 1);
/** Selects one of the leases that a process has ever had; it may use any of them again. */
const lease = fc.nat(5);
const step = fc.oneof(
  fc.record({ do: fc.constant("create" as const), who, key, again: fc.boolean() }),
  fc.record({
    do: fc.constant("end" as const),
    who,
    lease,
    state: fc.constantFrom("success" as const, "error" as const),
  }),
  fc.record({ do: fc.constant("cancel" as const), who, key }),
  fc.record({ do: fc.constantFrom("lost" as const, "release" as const), who, lease }),
  fc.record({ do: fc.constant("take" as const), who }),
  fc.record({ do: fc.constant("silence" as const), key }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const outcome = succeeded();
const attempt = async (operation: () => unknown): Promise<unknown> => {
  try {
    return await operation();
  } catch (error) {
    return { kind: (error as { kind?: unknown }).kind };
  }
};

/** Returns one lease of each task, because a process never has two. */
const distinct = (leases: readonly HeldTask[]): HeldTask[] =>
  leases.filter(({ task }, at) => leases.findIndex((other) => other.task.task_id === task.task_id) === at);

onBothEngines("the SQL task store", (newDatabase) => {
  test("B12, Z9: behaves like the model for any interleaving of two processes", async () => {
    const url = await newDatabase();
    const options = { url, leaseMs: 3_600_000 };
    const opened = [await openTaskStore(options), await openTaskStore(options)] as const;
    onTestFinished(async () => void (await Promise.all(opened.map(({ database }) => database.close()))));
    const { db } = opened[0].database;

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await db.deleteFrom("job").execute();
        const model = createModelTaskStore();
        const made = new Map<string, NewTask>();
        const everLeased: HeldTask[][] = [[], []];
        for (const each of steps) {
          const [real, expected] = await doBoth(each);
          expect(real).toEqual(expected);
        }
        for (const { task_id } of made.values()) expect(await opened[0].store.get(task_id)).toEqual(model.get(task_id));

        async function doBoth(each: Step): Promise<[unknown, unknown]> {
          const idOf = (name: string): string => made.get(name)?.task_id ?? "none";
          if (each.do === "silence") {
            model.silence(idOf(each.key));
            const leased = db.updateTable("job").where("id", "=", idOf(each.key)).where("state", "=", 1);
            await leased.set({ state: 0, owner: null }).execute();
            return [undefined, undefined];
          }
          const owner = each.who === 0 ? "one" : "other";
          const process = opened[each.who === 0 ? 0 : 1];
          const { store } = process;
          const mine = everLeased[each.who] as HeldTask[];
          const leases = "lease" in each ? distinct(mine.slice(each.lease, each.lease + 2)) : [];
          if (each.do === "create") {
            const before = made.get(each.key);
            const fresh = each.again && before ? before : newTask({ key: each.key });
            if (!before) made.set(each.key, fresh);
            const expected = model.create(owner, fresh);
            if (expected.created) mine.push({ task: { ...expected.task, params: fresh.params }, attempt: 1 });
            return [await store.create(fresh), expected];
          }
          if (each.do === "cancel") {
            const real = await attempt(async () => (await store.cancel(idOf(each.key), outcome)).task);
            return [real, await attempt(() => model.cancel(idOf(each.key), outcome))];
          }
          if (each.do === "take") {
            const taken = await takeTasks(process);
            const real = taken.map(({ task, attempt: nth }) => ({ task, attempt: nth }));
            mine.push(...real);
            const byId = (list: readonly { task: { task_id: string } }[]) =>
              list.toSorted((a, b) => a.task.task_id.localeCompare(b.task.task_id));
            return [byId(real), byId(model.take(owner))];
          }
          if (each.do === "end") {
            const one = mine[each.lease];
            if (!one) return [undefined, undefined];
            const end = { state: each.state, outcome: succeeded(each.state) };
            const real = await attempt(() => endTask(process, one, end));
            return [real, await attempt(() => model.end(owner, one, [end.state, end.outcome]))];
          }
          if (each.do === "release") {
            for (const one of leases) await releaseTask(process, one);
            return [undefined, model.release(owner, leases)];
          }
          const asked = leases.map(({ task, attempt: nth }) => ({ id: task.task_id, attempt: nth }));
          const lost = (await process.jobs.store.lost(asked)).map(({ id }) => id);
          return [lost, model.lost(owner, leases).map(({ task }) => task.task_id)];
        }
      }),
      { numRuns: 150 },
    );
  });
});
