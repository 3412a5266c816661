import { createSecretKey, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createVault, type Vault, type VaultKey } from "@crosszone/service-kit";
import { createOwnedData, listTables } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openTaskStore } from "../../tasks/sql/open-task-store.ts";
import { plantedWords, plantTeam } from "../../testing/plant-team.ts";
import { endTask, releaseTask, takeTasks } from "../../testing/new-task.ts";
import { executionTables, tablesOfNoTeam } from "./execution-tables.ts";

const newKey = (id: string): VaultKey => ({ id, key: createSecretKey(randomBytes(32)) });

onBothEngines("the data of a team in the execution zone", (newDatabase, engine) => {
  const start = async (vault?: Vault) => {
    const url = await newDatabase();
    const open = async (by?: Vault) => {
      const { store, jobs, database } = await openTaskStore({ url, leaseMs: 60_000, vault: by });
      onTestFinished(() => database.close());
      return { store, jobs, database, data: createOwnedData(database, { tables: executionTables, sealer: by }) };
    };
    const opened = await open(vault);
    const running = await plantTeam({ ...opened, vault }, "T1");
    await plantTeam({ ...opened, vault }, "T2");
    const bytes = (): string => {
      const path = url.slice("sqlite:".length);
      return [path, `${path}-wal`]
        .filter(existsSync)
        .map((file) => readFileSync(file, "latin1"))
        .join("");
    };
    return { ...opened, open, running, bytes };
  };

  const exported = async ({ data }: Awaited<ReturnType<typeof start>>, team = "T1") => {
    const rows = [];
    for await (const row of data.rows(team)) rows.push(row);
    return rows;
  };

  test("every table is known to the data commands, or is listed with a reason", async () => {
    const { database } = await start();
    const known = [...executionTables.map(({ name }) => name), ...Object.keys(tablesOfNoTeam)];
    expect(await listTables(database as never)).toEqual(known.toSorted());
  });

  test("after a purge no row and no byte of the team is left, and its worker finds its task gone", async () => {
    const zone = await start();
    await zone.data.purge("T1");
    expect(await exported(zone)).toEqual([]);
    expect(await exported(zone, "T2")).toHaveLength(17);
    expect(new Set((await exported(zone, "T2")).map(({ table }) => table)).size).toBe(executionTables.length);
    expect(await endTask(zone, zone.running)).toBeUndefined();
    if (engine === "postgres") return;
    expect(zone.bytes()).not.toContain(plantedWords("T1"));
    expect(zone.bytes()).toContain(plantedWords("T2"));
  });

  test("with keys no question or answer is readable in the database, and an export opens it", async () => {
    const zone = await start(createVault([newKey("k")]));
    const stored = await Promise.all(
      executionTables.map(({ name }) =>
        zone.database.db
          .selectFrom(name as "job")
          .selectAll()
          .execute(),
      ),
    );
    expect(stored.map(({ length }) => length)).toEqual([12, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(JSON.stringify(stored)).not.toContain("wrote-this");
    expect(engine === "sqlite" ? zone.bytes() : "").not.toContain("wrote-this");
    const rows = await exported(zone);
    expect(new Set(rows.flatMap(({ left_out }) => left_out))).toEqual(new Set(["handle"]));
    expect(JSON.stringify(rows)).toContain(plantedWords("T1"));
    expect(JSON.stringify(rows)).not.toContain("czh_");
    expect(await zone.store.get(zone.running.task.task_id)).toMatchObject({ params: { text: plantedWords("T1") } });
  });

  test("a key rotation: everything is sealed with the new key, and the old key can be removed", async () => {
    const [old, today] = [newKey("old"), newKey("today")];
    const zone = await start(createVault([old]));
    const both = await zone.open(createVault([today, old]));
    const columns = [
      ["job", 20],
      ["task_event", 2],
      ["workflow_step", 6],
      ["workflow_run", 6],
      ["input_request", 2],
      ["agent_conversation", 2],
      ["thread_summary", 2],
      ["agent_file_link", 0],
      ["model_call", 0],
      ["budget_use", 0],
      ["bus_dead_letter", 2],
      ["audit_content", 2],
    ] as const;
    expect(await both.data.reseal()).toEqual(columns.map(([table, sealed]) => ({ table, sealed, failed: 0 })));
    const alone = await zone.open(createVault([today]));
    expect(JSON.stringify(await exported({ ...zone, ...alone }))).toContain(plantedWords("T1"));
    expect(await alone.store.get(zone.running.task.task_id)).toMatchObject({ params: { text: plantedWords("T1") } });
    const late = await zone.open(createVault([old]));
    expect(await late.data.reseal()).toEqual(columns.map(([table, failed]) => ({ table, sealed: 0, failed })));
  });

  test("without its key a task ends with an error, and does not block other tasks", async () => {
    const zone = await start(createVault([newKey("lost")]));
    await releaseTask(zone, zone.running);
    const opened = await zone.open(createVault([newKey("other")]));
    const { store, database } = opened;
    const [taken] = await takeTasks(opened);
    expect(taken?.task).toMatchObject({ task_id: zone.running.task.task_id });
    expect(taken?.task).not.toHaveProperty("params");
    const [ended] = await database.db.selectFrom("job").select("id").where("outcome", "=", "success").execute();
    expect(await store.get(ended?.id ?? "")).toMatchObject({ outcome: { error: { kind: "internal" } } });
  });
});
