import { cpSync, globSync } from "node:fs";
import { join } from "node:path";
import { pythonOf } from "../../harness/python-of.ts";
import { repoDir } from "../release-copy.ts";
import { run } from "../run-command.ts";
import type { Kit } from "./kit.ts";

/** `crosszone-agent`, from its wheel. */
export const pythonKit: Kit = {
  language: "python",
  file: "agent.py",
  install: async (folder) => {
    const python = await pythonOf(join(import.meta.dirname, "python-tools.txt"));
    // Building writes beside the sources.
    cpSync(join(repoDir, "kits/python"), join(folder, "kit"), { recursive: true });
    const build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "./kit"];
    await run(python, build, { cwd: folder });
    await run("python3", ["-m", "venv", "venv"], { cwd: folder });
    const [wheel = ""] = globSync("crosszone_agent-*-py3-none-any.whl", { cwd: folder });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel];
    await run(join(folder, "venv/bin/python"), install, { cwd: folder });
  },
  command: async (folder) => [join(folder, "venv/bin/python"), "agent.py"],
};
