import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained, soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

const program = fileURLToPath(new URL("../testing/embedded-self-program.ts", import.meta.url));

onBothEngines("a message for a consumer of the same process", (newDatabase) => {
  /** A bus whose consumers have polled once and do not poll again for an hour. */
  async function open(handle: () => Promise<void> = async () => undefined) {
    const opened = await openEmbedded(await newDatabase(), { idlePollMs: 3_600_000 });
    const consumed = await consume(opened.bus, "agent_tasks", { handle, concurrency: 2 });
    // It polls less and less until no known message waits.
    await delay(1_000);
    return { ...opened, consumed };
  }

  test("that has room is written with its lease, handled and forgotten: nobody looks for it", async () => {
    const { bus, consumed, statements } = await open();
    const before = statements();
    await bus.publish([taskMessage("one")]);
    await consumed.until(1);
    expect(statements() - before).toBeLessThanOrEqual(2);
    expect(consumed.done[0]?.attempt).toBe(1);
    await drained(bus, "agent_tasks");
  }, 60_000);

  test("that was published before others of its key comes before them, whoever takes them", async () => {
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    let begun = 0;
    let [running, most] = [0, 0];
    const { bus, consumed } = await open(async () => {
      most = Math.max(most, (running += 1));
      await gates[begun++]?.promise;
      running -= 1;
    });
    for (const input of [0, 1]) await bus.publish([taskMessage("key", input)]);
    await bus.publish([taskMessage("key", 2), taskMessage("key", 3)]);
    for (const { resolve } of gates) {
      await delay(20);
      resolve();
    }
    await consumed.until(4);
    expect(consumed.inputs()).toEqual([0, 1, 2, 3]);
    expect(most).toBe(1);
    await drained(bus, "agent_tasks");
  }, 60_000);

  test("B7: of a transaction is handled after its commit, without a look; of one that was rolled back it is not, and leaves its room", async () => {
    const { bus, database, consumed, statements } = await open();
    const { db } = database;
    const left = Promise.withResolvers<void>();
    const failing = database.transaction(async (tx) => {
      await bus.outbox.add(tx, [taskMessage("a", "never"), taskMessage("b", "never")]);
      await left.promise;
      throw new Error("rolled back");
    });
    await delay(300);
    expect(consumed.done).toEqual([]);
    left.resolve();
    await expect(failing).rejects.toThrow("rolled back");
    // Long before its lease would expire.
    await delay(700);
    const before = statements();
    await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("c", 1), taskMessage("d", 2)]));
    bus.outbox.wake();
    await consumed.until(2);
    expect(new Set(consumed.inputs())).toEqual(new Set([1, 2]));
    await delay(10);
    expect(statements() - before).toBeLessThan(5);
    expect(await db.selectFrom("bus_message").selectAll().where("attempt", ">", 1).execute()).toEqual([]);
    await drained(bus, "agent_tasks");
  }, 60_000);

  test("of two transactions that overlap, and of one key, is not handled while the other one is", async () => {
    let [running, most] = [0, 0];
    const { bus, database, consumed } = await open(async () => {
      most = Math.max(most, (running += 1));
      await delay(1_000);
      running -= 1;
    });
    // Sequential where a transaction locks the whole database.
    const parties = database.engine === "sqlite" ? 1 : 2;
    const both = Promise.withResolvers<void>();
    let added = 0;
    const publish = (input: number) =>
      database.transaction(async (tx) => {
        await bus.outbox.add(tx, [taskMessage("key", input)]);
        if ((added += 1) === parties) both.resolve();
        await both.promise;
      });
    await Promise.all([publish(0), publish(1)]);
    bus.outbox.wake();
    await consumed.until(2);
    expect(most).toBe(1);
    expect(new Set(consumed.inputs())).toEqual(new Set([0, 1]));
    await drained(bus, "agent_tasks");
  }, 60_000);

  test("that was committed when the bus closes is handled, and not left to its lease", async () => {
    const { bus, database, consumed } = await open();
    await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("a")]));
    await bus.close();
    expect(consumed.done).toHaveLength(1);
    expect(await database.db.selectFrom("bus_message").select("id").execute()).toEqual([]);
  }, 60_000);

  test("that no transaction told of is handled all the same, soon", async () => {
    const { bus, database, consumed } = await open();
    await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("a")]));
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(consumed.done[0]?.attempt).toBe(1);
  }, 60_000);

  test("B5, N5: and that was killed with it is delivered to another one, and what is behind it after it", async () => {
    const url = await newDatabase();
    const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const given: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => given.push(line));
    await expect.poll(() => given.toSorted(), soon).toEqual(["decided", "published"]);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { bus } = await openEmbedded(url);
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(3);
    await drained(bus, "agent_tasks");
    const of = consumed.done.map(({ value, attempt }) => `${value.task_id} ${String(value.input_data)} ${attempt}`);
    expect(of.toSorted()).toEqual(["decided null 2", "published behind 1", "published null 2"]);
    expect(of.indexOf("published null 2")).toBeLessThan(of.indexOf("published behind 1"));
  }, 60_000);

  test("that comes while all are busy waits, and is handled when one has ended", async () => {
    const gate = Promise.withResolvers<void>();
    const { bus, consumed } = await open(() => gate.promise);
    for (const key of ["a", "b", "c", "d", "e"]) await bus.publish([taskMessage(key)]);
    await delay(100);
    gate.resolve();
    await consumed.until(5);
    await drained(bus, "agent_tasks");
    expect(new Set(consumed.done.map(({ value }) => value.task_id)).size).toBe(5);
    expect(consumed.done).toHaveLength(5);
  }, 60_000);
});
