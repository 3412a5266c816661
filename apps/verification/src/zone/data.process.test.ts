// suite: rest
// @module-tag judge
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { programArgs } from "@crosszone/testkit/bundle";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database.ts";
import { plantedWords, plantTeam } from "../testing/plant-team.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs a command in a separate process, as a person does. */
async function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const { promise, resolve: done } = Promise.withResolvers<{ code: number; out: string; err: string }>();
  const node = [...(await programArgs("apps/verification/src/data.ts")), ...args];
  const options = { cwd: root, env: { PATH: process.env["PATH"], ...env } };
  const child = execFile(process.execPath, node, options, (_error, out, err) =>
    done({ code: child.exitCode ?? -1, out, err }),
  );
  child.stdin?.end();
  return promise;
}

onBothEngines("the data commands of a zone", (newDatabase, engine) => {
  const start = async () => {
    const url = await newDatabase();
    const folder = url.replace(/^sqlite:(.*)\/[^/]*$/, "$1");
    const env: Record<string, string> = engine === "sqlite" ? { DATA_DIR: folder } : { DATABASE_URL: url };
    const database = await openVerificationDatabase({
      url: engine === "sqlite" ? `sqlite:${join(folder, "verification.sqlite")}` : url,
    });
    onTestFinished(() => database.close());
    for (const team of ["T1", "T2"]) await plantTeam(database, team);
    return { env, database };
  };

  test("export and delete a team while the zone has its database open", async () => {
    const { env } = await start();
    const exported = await run(["export", "--team", "T1"], env);
    expect(exported).toMatchObject({ code: 0, err: expect.stringContaining("rows of T1.") });
    expect(exported.out).toContain(plantedWords("T1"));
    expect(exported.out).not.toContain(plantedWords("T2"));
    const lines = exported.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 });

    expect(await run(["purge", "--team", "T1"], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining("Add --yes"),
    });
    expect((await run(["export", "--team", "T1"], env)).out).toContain(plantedWords("T1"));
    const purged = await run(["purge", "--team", "T1", "--yes"], env);
    expect(purged).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("deleted 1 from verification.handle"),
    });
    expect((await run(["export", "--team", "T1"], env)).out).toContain('{"end":true,"rows":0}');
    expect((await run(["export", "--team", "T2"], env)).out).toContain(plantedWords("T2"));
    const file = join(env["DATA_DIR"] ?? "", "verification.sqlite");
    expect(engine === "sqlite" ? readFileSync(file, "latin1") : "").not.toContain(plantedWords("T1"));
  });
});

test("without a database the command says so, and creates none", async () => {
  const folder = join(tempFolder(), "nothing");
  const { code, err } = await run(["purge", "--team", "T1", "--yes"], { DATA_DIR: folder });
  expect(code).toBe(1);
  expect(err).toContain(`The verification zone has no database at ${join(folder, "verification.sqlite")}`);
  expect(existsSync(folder)).toBe(false);
});

test("an unreachable database and malformed keys are reported with a readable sentence", async () => {
  const away = await run(["export", "--team", "T1"], { DATABASE_URL: "postgres://me:secret@127.0.0.1:9/x" });
  expect(away).toMatchObject({ code: 1, out: "" });
  expect(away.err).toContain("ECONNREFUSED");
  expect(away.err).not.toMatch(/secret|at .*\.ts/);
  const keys = await run(["reseal"], { DATA_KEYS: "not-a-key" });
  expect(keys).toMatchObject({ code: 1, err: expect.stringContaining("DATA_KEYS is not valid: item 1 has no id") });
  expect(keys.err).not.toContain("not-a-key");
});
