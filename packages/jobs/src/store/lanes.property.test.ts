import { array, assert, asyncProperty, constant, constantFrom, nat, oneof, record } from "fast-check";
import { expect, test } from "vitest";
import { openLanes } from "../testing/open-jobs.ts";

const names = ["a", "b", "c"] as const;
const command = oneof(
  record({ do: constant("add" as const), lane: constantFrom(...names) }),
  record({ do: constant("take" as const) }),
  record({ do: constantFrom("end" as const, "release" as const, "park" as const), which: nat(2) }),
  record({ do: constant("unpark" as const), which: nat(3) }),
);

/** What a lane must be: the numbers of its jobs, in the order of their insertion. */
interface Lane {
  head?: { readonly number: number; isLeased: boolean };
  behind: number[];
}

/** The oldest job behind becomes the head of a lane without one. */
function promote(lane: Lane): void {
  const [number, ...behind] = lane.behind.toSorted((a, b) => a - b);
  if (lane.head === undefined && number !== undefined)
    Object.assign(lane, { head: { number, isLeased: false }, behind });
}

test("after any operations, the oldest open job of a lane becomes its head, and only heads are taken", async () => {
  const { store, add, take, database } = await openLanes("sqlite::memory:");
  const commands = array(command, { maxLength: 60 });
  await assert(
    asyncProperty(commands, async (all) => {
      await database.db.deleteFrom("job").execute();
      const lanes = new Map<string, Lane>(names.map((name) => [name, { behind: [] }]));
      const of = (name: string): Lane => lanes.get(name) as Lane;
      const [held, parked]: [{ id: string; attempt: number; lane: string }[], string[]] = [[], []];
      let last = 0;
      const wrong: string[] = [];
      const must = (isRight: boolean, what: string): void => void (isRight || wrong.push(what));
      for (const one of all) {
        if (one.do === "add") {
          const isFree = of(one.lane).head === undefined;
          const entered = await add(`${(last += 1)} ${one.lane}`, one.lane);
          must(entered === (isFree ? "ready" : "behind"), `${last} entered as ${entered}`);
          of(one.lane).behind.push(last);
          promote(of(one.lane));
        } else if (one.do === "take") {
          const ready = [...lanes].flatMap(([name, { head }]) =>
            head?.isLeased === false ? [`${head.number} ${name}`] : [],
          );
          const job = await take();
          must(
            job === undefined ? ready.length === 0 : ready.includes(job.id),
            `${job?.id} was taken of ${ready.join()}`,
          );
          if (job === undefined) continue;
          held.push(job);
          Object.assign(of(job.lane).head ?? {}, { isLeased: true });
        } else if (one.do === "unpark") {
          const [id] = parked.splice(one.which, 1);
          if (id === undefined) continue;
          must(await store.lanes.unpark(id), `${id} did not come back`);
          const [number, name = ""] = id.split(" ");
          of(name).behind.push(Number(number));
          promote(of(name));
        } else {
          const [job] = held.splice(one.which, 1);
          if (job === undefined) continue;
          const lane = of(job.lane);
          if (one.do === "release") {
            await store.release([job], { counted: false });
            Object.assign(lane.head ?? {}, { isLeased: false });
            continue;
          }
          must(
            await (one.do === "end" ? store.lanes.remove(job) : store.lanes.park(job, {})),
            `${one.do} of ${job.id} failed`,
          );
          if (one.do === "park") parked.push(job.id);
          delete lane.head;
          promote(lane);
        }
      }
      expect([wrong, await store.lanes.heal()]).toEqual([[], 0]);
    }),
    { numRuns: 100 },
  );
});
