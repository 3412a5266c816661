import { onBothEngines } from "@crosszone/testkit/postgres";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createModelTaskStore } from "../testing/model-task-store.ts";
import { endTask, newTask, releaseTask, succeeded, takeTasks } from "../testing/new-task.ts";
import { openTaskStore } from "./sql/open-task-store.ts";
import type { LeasedTask, NewTask } from "./task.ts";

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
const distinct = (leases: readonly LeasedTask[]): LeasedTask[] =>
  leases.filter(({ task }, at) => leases.findIndex((other) => other.task.task_id === task.task_id) === at);

onBothEngines("the SQL task store", (newDatabase) => {
  test("B12, Z9: behaves like the model for any interleaving of two processes", { timeout: 60_000 }, async () => {
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
        const everLeased: LeasedTask[][] = [[], []];
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
          const mine = everLeased[each.who] as LeasedTask[];
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
