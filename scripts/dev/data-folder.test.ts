import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { banner } from "./banner.ts";
import { emptyDataFolder } from "./data-folder.ts";
import { devEnvironment } from "./environment.ts";

const root = resolve(import.meta.dirname, "../..");
const real = { SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" };

test("with real Slack the data is kept from one start to the next, beside the sources or where it was told", () => {
  expect(devEnvironment(real).env["DATA_DIR"]).toBe(resolve(root, ".crosszone"));
  expect(devEnvironment({ ...real, DATA_DIR: "/srv/data" }).env["DATA_DIR"]).toBe("/srv/data");
  expect(devEnvironment({ ...real, DATABASE_URL: "postgres://db/x" }).env).not.toHaveProperty("DATABASE_URL");
});

test("what the local Slack is asked never meets real data, whatever is set; two of them have a folder each", () => {
  const env = { DATA_DIR: "/srv/data", DATABASE_URL: "postgres://db/x" };
  const [one, other] = [devEnvironment(env), devEnvironment({ ...env, VERIFICATION_PORT: "3001" })];
  expect(one.env).toMatchObject({ DATABASE_URL: "", DATABASE_URL_FILE: "" });
  expect(one.env["DATA_DIR"]).toBe(resolve(root, ".crosszone/local/3000"));
  expect(other.env["DATA_DIR"]).not.toBe(one.env["DATA_DIR"]);
  expect(banner(one)).toContain("DATABASE_URL is set, but is for real Slack");
  expect(banner(devEnvironment({}))).not.toContain("DATABASE_URL");
});

test("a folder is there and empty after it was emptied, whatever it held", () => {
  const folder = mkdtempSync(join(tmpdir(), "data-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const local = join(folder, "local");
  for (const file of ["verification.sqlite", "verification.sqlite-wal"]) {
    mkdirSync(local, { recursive: true });
    writeFileSync(join(local, file), "old");
  }
  emptyDataFolder(local);
  expect([existsSync(local), existsSync(join(local, "verification.sqlite"))]).toEqual([true, false]);
  emptyDataFolder(join(folder, "never", "there"));
  expect(existsSync(join(folder, "never", "there"))).toBe(true);
});
