import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoDir } from "../release-copy.ts";
import { run } from "../run-command.ts";
import type { Kit } from "./kit.ts";

/** `@crosszone/agent`, from its tarball. */
export const typescriptKit: Kit = {
  language: "js",
  file: "agent.mjs",
  install: async (folder) => {
    const tarball = join(folder, "agent.tgz");
    await run("pnpm", ["pack", "--out", tarball], { cwd: join(repoDir, "packages/agent") });
    mkdirSync(join(folder, "home"));
    writeFileSync(join(folder, "package.json"), "{}");
    const nobody = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(folder, "home") };
    await run("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: folder, env: nobody });
  },
  command: async () => [process.execPath, "agent.mjs"],
};
