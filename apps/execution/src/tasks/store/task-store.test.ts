// suite: both
import { randomUUID } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { errorForCallers } from "../../store/open-execution-database.ts";
import { endTask, leasedTask, newTask, newVault } from "../../testing/new-task.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "./task-store.ts";

onBothEngines("the SQL task store", (newDatabase) => {
  const opened = async (options: OpenTaskStoreOptions) => {
    const zone = await openTaskStore(options);
    onTestFinished(() => zone.database.close());
    return zone;
  };

  /** Opens the stores of two processes. */
  const make = async (options?: { readonly retentionMs: number }) => {
    const url = await newDatabase();
    return [await opened({ url, ...options }), await opened({ url, ...options })] as const;
  };

  describe("creating tasks", () => {
    test("Z9: one key of one caller creates one task, even in concurrent requests to two processes", async () => {
      const [{ store }, { store: other }] = await make();
      const made = await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? other : store).create(newTask())));
      expect(new Set(made.map(({ task }) => task.task_id)).size).toBe(1);
      expect(made.filter(({ created }) => created)).toHaveLength(1);
      expect(await other.findByKey("verification", newTask().key)).toEqual(made[0]?.task);
    });

    test("the same key of another caller is another task", async () => {
      const [{ store }] = await make();
      const [mine, theirs] = [await store.create(newTask()), await store.create(newTask({ caller: "somebody" }))];
      expect(theirs.created).toBe(true);
      expect(theirs.task.task_id).not.toBe(mine.task.task_id);
      expect(await store.findByKey("nobody", newTask().key)).toBeUndefined();
    });

    test("a task reads back as it was written, whatever its text, without its handle", async () => {
      const [{ store }, { store: other }] = await make();
      const text = "\u0000 \ud800 ' \" \\ 𝄞 {}[] $1 ?";
      const params = { channel: text, text, team_id: text, thread: [{ text }] };
      const fresh = newTask({ caller: text, key: text, fingerprint: text, correlation_id: text, agent: text, params });
      const { task } = await store.create({ ...fresh, handle: "czh_secret" });
      const { deadline_ms: _ms, ...asked } = fresh;
      expect(task).toEqual({ ...asked, state: "working" });
      expect(await other.get(task.task_id)).toEqual(task);
      for (const unknown of [randomUUID(), "no-such-task", text, "x".repeat(1_000_000)])
        expect(await other.get(unknown)).toBeUndefined();
      expect(JSON.stringify(task)).not.toContain("czh_secret");
    });
  });

  test("W15: a person's tasks are listed newest first, of one caller and one team, without their content", async () => {
    const [{ store, database }] = await make();
    const asked = { channel: "C1", text: "secret words", user_id: "U1", team_id: "T1" };
    const create = async (at: number, caller: string, params: object): Promise<string> => {
      const key = JSON.stringify(randomUUID());
      const { task } = await store.create(newTask({ caller, key, params: { ...asked, ...params } }));
      await database.db.updateTable("job").set({ created_at: at }).where("id", "=", task.task_id).execute();
      return task.task_id;
    };
    const mine = [await create(2_000, "verification", {}), await create(3_000, "verification", {})];
    await create(1_999, "verification", {});
    await create(4_000, "verification", { user_id: "U2" });
    await create(4_000, "verification", { team_id: "T2" });
    await create(4_000, "somebody", {});
    const who = { user_id: "U1", team_id: "T1", since: new Date(2_000).toISOString() };
    const listed = await store.ofPerson("verification", who);
    expect(listed.map(({ task_id }) => task_id)).toEqual(mine.toReversed());
    expect(listed[1]?.request_id).toMatch(/^[\da-f-]{36}$/);
    expect(listed[1]).toMatchObject({ agent: "builtin", state: "working", created_at: who.since });
    expect(JSON.stringify(listed)).not.toContain("secret words");
    for (let n = 0; n < 60; n += 1) await create(5_000 + n, "verification", {});
    expect(await store.ofPerson("verification", who)).toHaveLength(50);
  });

  describe("ending tasks", () => {
    test("the ended tasks among many are found", async () => {
      const [zone, { store: other }] = await make();
      const leased = await Promise.all([1, 2, 3].map(() => leasedTask(zone.store)));
      await Promise.all(leased.slice(1).map((one) => endTask(zone, one)));
      const found = await other.settled([...leased.map(({ task }) => task.task_id), "no-such-task"]);
      expect(new Set(found.map(({ task_id }) => task_id))).toEqual(
        new Set(leased.slice(1).map(({ task }) => task.task_id)),
      );
      expect(await other.settled([])).toEqual([]);
    });
  });

  test("ended tasks are deleted with their keys after their retention, others never", async () => {
    const [zone] = await make({ retentionMs: 1 });
    const { store } = zone;
    const [done, open] = await Promise.all([leasedTask(store, { key: "1" }), leasedTask(store)]);
    expect(await store.oldestOpenMs()).toBeGreaterThanOrEqual(0);
    await endTask(zone, done);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await store.forget(10)).toBe(1);
    expect(await store.forget(10)).toBe(0);
    expect(await store.get(done.task.task_id)).toBeUndefined();
    expect(await store.findByKey("verification", "1")).toBeUndefined();
    expect(await store.get(open.task.task_id)).toBeDefined();
    expect(await store.create(newTask({ key: "1" }))).toMatchObject({ created: true });
  });

  test("a task whose predecessor is deleted while it is created takes over its key", async () => {
    const [zone] = await make();
    const { store, database, jobs } = zone;
    await endTask(zone, await leasedTask(store, { key: "1" }));
    const add = jobs.store.add.bind(jobs.store);
    const refused: boolean[] = [];
    vi.spyOn(jobs.store, "add").mockImplementationOnce(async (job) => {
      refused.push(!(await add(job)));
      await database.db.deleteFrom("job").execute();
      return false;
    });
    const { task, created } = await store.create(newTask({ key: "1" }));
    expect({ refused, created }).toEqual({ refused: [true], created: true });
    expect(await store.findByKey("verification", "1")).toEqual(task);
  });

  test("a key that is refused but never found is reported as unavailable", async () => {
    const [{ store, jobs }] = await make();
    vi.spyOn(jobs.store, "add").mockResolvedValue(false);
    await expect(store.create(newTask())).rejects.toMatchObject({ kind: "zone_unavailable" });
  });

  test("a full database is reported as unavailable, once", async () => {
    const { store, database, jobs } = await openTaskStore({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const full = Object.assign(new Error("no room"), { code: "53100" });
    const add = vi.spyOn(jobs.store, "add").mockRejectedValue(full);
    const failed = await leasedTask(store).catch(errorForCallers);
    expect(failed).toMatchObject({ kind: "zone_unavailable", cause: full });
    expect(add).toHaveBeenCalledOnce();
  });

  test("a task's handle is stored only with keys, sealed, until the task ends", async () => {
    const vault = newVault();
    for (const [options, kept] of [
      [{}, null],
      [{ vault }, expect.stringMatching(/^v1\.k\./)],
    ] as const) {
      const zone = await opened({ url: await newDatabase(), ...options });
      const { store, database } = zone;
      const leased = await leasedTask(store, { handle: "czh_secret" });
      const row = () => database.db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
      expect((await row()).handle).toEqual(kept);
      expect(JSON.stringify(await row())).not.toContain("czh_secret");
      expect(await store.handleOf(leased.task.task_id)).toBe(kept === null ? undefined : "czh_secret");
      await endTask(zone, leased);
      expect((await row()).handle).toBeNull();
    }
  });
});
