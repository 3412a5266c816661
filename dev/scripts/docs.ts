/**
 * `pnpm run docs` builds the documentation site into site/.vitepress/dist, `pnpm docs:dev` serves it and follows edits. The generator is
 * installed into site/ on first use, because nothing else needs it. Keep the `run`: pnpm has its own command `docs`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const site = resolve(root, "site");
const [command = "build", ...rest] = process.argv.slice(2);

/** Runs a program in the site's folder, and ends this one with its exit code unless that is 0. */
function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: site, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const installed = resolve(site, "node_modules/.modules.yaml");
const changed = statSync(resolve(site, "pnpm-lock.yaml")).mtimeMs;
if (!existsSync(installed) || statSync(installed).mtimeMs < changed) {
  const { packageManager } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as Record<string, string>;
  run("npx", ["-y", packageManager ?? "pnpm", "install", "--frozen-lockfile"]);
}
run(process.execPath, [resolve(site, "node_modules/vitepress/bin/vitepress.js"), command, ...rest]);
