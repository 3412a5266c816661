import { createSecretKey, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRecordCodec, createVault, type VaultKey } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { createOwnedData, listTables } from "@crosszone/sql";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { createSqlInstallationStore } from "../../workspaces/installations/sql-installation-store.ts";
import { createTestInbox, takeOne } from "../../testing/test-inbox.ts";
import { plantedWords, plantTeam } from "../../testing/plant-team.ts";
import { tablesOfNoTeam, verificationTables } from "./verification-tables.ts";

const newKey = (id: string): VaultKey => ({ id, key: createSecretKey(randomBytes(32)) });

onBothEngines("the data of a team in the verification zone", (newDatabase, engine) => {
  const start = async () => {
    const url = await newDatabase();
    const database = await openVerificationDatabase({ url });
    onTestFinished(() => database.close());
    for (const team of ["T1", "T2"]) await plantTeam(database, team);
    return { database, url, data: createOwnedData(database, { tables: verificationTables }) };
  };

  test("every table is known to the data commands, or is listed with a reason", async () => {
    const { database } = await start();
    const known = [...verificationTables.map(({ name }) => name), ...Object.keys(tablesOfNoTeam)];
    expect(await listTables(database as never)).toEqual(known.toSorted());
  });

  test("an export has a row of each table that has a team", async () => {
    const { data } = await start();
    const exported = [];
    for await (const { table, row } of data.rows("T1")) exported.push({ table, text: JSON.stringify(row) });
    expect(exported.map(({ table }) => table)).toEqual(verificationTables.map(({ name }) => name));
    expect(exported.map(({ text }) => text).join("\n")).toContain(plantedWords("T1"));
    expect(exported.map(({ text }) => text).join("\n")).not.toContain(plantedWords("T2"));
  });

  test("after a purge no row and no byte of the team is left, and all other teams' rows remain", async () => {
    const { data, url } = await start();
    await data.purge("T1");
    expect((await data.count("T1")).map(({ rows }) => rows)).toEqual(verificationTables.map(() => 0));
    expect((await data.count("T2")).map(({ rows }) => rows)).toEqual(verificationTables.map(() => 1));
    if (engine === "postgres") return;
    const path = url.slice("sqlite:".length);
    const bytes = [path, `${path}-wal`].filter(existsSync).map((file) => readFileSync(file, "latin1"));
    expect(bytes.join("")).not.toContain(plantedWords("T1"));
    expect(bytes.join("")).toContain(plantedWords("T2"));
  });

  test("with keys no text is readable in the database; after a key rotation the old key can be removed", async () => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const [old, today] = [newKey("old"), newKey("today")];
    await plantTeam(database, "T1", createVault([old]));
    const stored = async () => JSON.stringify(await database.db.selectFrom("job").selectAll().execute());
    expect(await stored()).not.toContain(plantedWords("T1"));
    const dataWith = (...keys: [VaultKey, ...VaultKey[]]) =>
      createOwnedData(database, { tables: verificationTables, sealer: createVault(keys) });
    const resealed = await dataWith(today, old).reseal();
    expect(resealed.filter(({ sealed }) => sealed > 0)).toEqual([
      { table: "installation", sealed: 1, failed: 0 },
      { table: "job", sealed: 1, failed: 0 },
    ]);
    expect(await stored()).not.toContain(plantedWords("T1"));
    const inbox = createTestInbox(database, { codec: createRecordCodec(createVault([today])) });
    expect(await takeOne(inbox, "ask")).toMatchObject({ record: { text: plantedWords("T1") } });
    const installations = createSqlInstallationStore(database, { vault: createVault([today]) });
    const installed = await installations.find("T1");
    expect(installed && (await installations.grantOf(installed))).toEqual({ token: plantedWords("T1") });
  });
});
