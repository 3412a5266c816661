import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbeddedBus } from "@crosszone/bus";
import { expect, onTestFinished, test } from "vitest";
import { createCallStore } from "../calls/store/sql-call-store.ts";
import { agentNamed, newTask, publishTasks, receiveResults, soon, startBridge } from "../testing/bridge-under-test.ts";
import { createFakeCaller } from "../testing/fake-caller.ts";
import { openBridgeDatabase } from "../testing/open-bridge-database.ts";

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const [headerBytes, frameBytes] = [32, 24 + 4096];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-power-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("N5: whatever end of SQLite's log a loss of power takes, a task is a message still, or a call", async () => {
  const folder = await newFolder();
  const file = join(folder, "zone.sqlite");
  const { caller } = createFakeCaller();
  const { bus, database } = await startBridge(`sqlite:${file}`, { agents: [agentNamed("A")], caller });
  const results = await receiveResults(bus);
  const log = () => readFile(`${file}-wal`);
  // A first one, so that the next is begun from memory.
  await publishTasks(bus, [newTask("t0")]);
  await results.until(1);
  const noMessages = async (): Promise<void> => {
    const left = () => database.db.selectFrom("bus_message").select("id").execute();
    await expect.poll(left, soon).toEqual([]);
  };
  await noMessages();
  const before = (await log()).length;
  await publishTasks(bus, [newTask("t1")]);
  await results.until(2);
  await noMessages();
  const whole = await log();
  const frames = (whole.length - before) / frameBytes;
  expect(before % frameBytes).toBe(headerBytes);
  expect(frames).toBeGreaterThan(3);

  const found: string[] = [];
  for (let frame = 0; frame <= frames; frame += 1) {
    const copy = join(folder, `${String(frame)}.sqlite`);
    await copyFile(file, copy);
    await writeFile(`${copy}-wal`, whole.subarray(0, before + frame * frameBytes));
    const { db, close } = await openBridgeDatabase(`sqlite:${copy}`);
    const messages = await db.selectFrom("bus_message").select("channel").orderBy("channel").execute();
    const calls = await db.selectFrom("agent_call").select("state").orderBy("created_at").execute();
    await close();
    const now = [...messages.map(({ channel }) => channel), ...calls.slice(1).map(({ state }) => state)].join(" ");
    if (now !== found.at(-1)) found.push(now);
  }
  const [nothing, published, ...later] = found;
  expect([nothing, published]).toEqual(["", "agent_tasks"]);
  for (const one of later) expect(one).toMatch(/agent_tasks|open|succeeded/);
  expect(later.at(-1)).toBe("succeeded");
});

test("a call is flushed by itself only where the bus is not in its database", async () => {
  const { database, bus, unflushed } = await openRecorded();
  const groups = { agent_tasks: ["agent-bridge"] };
  const embedded = createEmbeddedBus({ database, groups });
  onTestFinished(() => embedded.close());
  for (const kind of [embedded.kind, "kafka"] as const) {
    const store = createCallStore({ database, bus: { ...bus, kind }, owner: kind, leaseMs: 1_000, retentionMs: 1_000 });
    const task = newTask(kind);
    expect(await store.add({ task, headers: {}, deadlineMs: 1_000, isHeld: true })).toBe(true);
  }
  expect(unflushed).toEqual([true, false]);
});

async function openRecorded() {
  const opened = await openBridgeDatabase(`sqlite:${join(await newFolder(), "zone.sqlite")}`);
  onTestFinished(opened.close);
  const unflushed: (boolean | undefined)[] = [];
  const database: typeof opened = {
    ...opened,
    write: (statement, rows, options) => {
      unflushed.push(options?.unflushed);
      return opened.write(statement, rows, options);
    },
  };
  const bus = { outbox: { add: async () => undefined, wake: () => undefined } };
  return { database, bus, unflushed };
}
