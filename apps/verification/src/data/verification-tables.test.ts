import { existsSync, readFileSync } from "node:fs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { createOwnedData, listTables } from "@crosszone/sql";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { plantedWords, plantTeam } from "../testing/plant-team.ts";
import { tablesOfNoTeam, verificationTables } from "./verification-tables.ts";

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
    expect(await listTables(database as never)).toEqual(known.sort());
  });

  test("an export has a row of each table that knows teams", async () => {
    const { data } = await start();
    const exported = [];
    for await (const { table, row } of data.rows("T1")) exported.push({ table, text: JSON.stringify(row) });
    expect(exported.map(({ table }) => table)).toEqual(verificationTables.map(({ name }) => name));
    expect(exported.map(({ text }) => text).join("\n")).toContain(plantedWords("T1"));
    expect(exported.map(({ text }) => text).join("\n")).not.toContain(plantedWords("T2"));
  });

  test("after a purge no row and no byte of the team is left, and everything of the others", async () => {
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
});
