import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { banner } from "./banner.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { devEnvironment } from "./environment.ts";

const root = resolve(import.meta.dirname, "../../..");
const real = { SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" };

test("with real Slack, data is kept between starts, next to the sources or in DATA_DIR", () => {
  expect(devEnvironment(real).env["DATA_DIR"]).toBe(resolve(root, ".crosszone"));
  expect(devEnvironment({ ...real, DATA_DIR: "/srv/data" }).env["DATA_DIR"]).toBe("/srv/data");
  expect(devEnvironment({ ...real, DATABASE_URL: "postgres://db/x" }).env).not.toHaveProperty("DATABASE_URL");
});

test("data of the local Slack is always separate from real data, and each local Slack has its own folder", () => {
  const env = { DATA_DIR: "/srv/data", DATABASE_URL: "postgres://db/x" };
  const [one, other] = [devEnvironment(env), devEnvironment({ ...env, VERIFICATION_PORT: "3001" })];
  expect(one.env).toMatchObject({ DATABASE_URL: "", DATABASE_URL_FILE: "" });
  expect(one.env["DATA_DIR"]).toBe(resolve(root, ".crosszone/local/3000"));
  expect(other.env["DATA_DIR"]).not.toBe(one.env["DATA_DIR"]);
  expect(banner(one)).toContain("DATABASE_URL is only used with real Slack");
  expect(banner(devEnvironment({}))).not.toContain("DATABASE_URL");
});

test("a start keeps the messages and runs of earlier starts; a fresh start deletes everything", () => {
  const folder = mkdtempSync(join(tmpdir(), "data-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const local = join(folder, "local");
  mkdirSync(local, { recursive: true });
  for (const file of ["verification.sqlite", "execution.sqlite", "slack.sqlite", "admin-token"])
    writeFileSync(join(local, file), "old");
  prepareDataFolder(local);
  expect(readdirSync(local).toSorted()).toEqual([
    "admin-token",
    "execution.sqlite",
    "slack.sqlite",
    "verification.sqlite",
  ]);
  expect(statSync(local).mode & 0o777).toBe(0o700);
  prepareDataFolder(local, { fresh: true });
  expect(readdirSync(local)).toEqual([]);
  prepareDataFolder(join(folder, "never", "there"));
  expect(existsSync(join(folder, "never", "there"))).toBe(true);
});
