import { join } from "node:path";
import { repoDir } from "../release-copy.ts";
import { run } from "../run-command.ts";
import type { Kit } from "./kit.ts";

const kit = "github.com/crosszone/crosszone/kits/go";
const env = { GOPROXY: "off", GOFLAGS: "-mod=mod" };

/** The kit for Go, in place of the published module. */
export const goKit: Kit = {
  language: "go",
  file: "main.go",
  install: async (folder) => {
    const go = async (...args: string[]) => await run("go", args, { cwd: folder, env });
    await go("mod", "init", "example.com/words").catch((cause: unknown) => {
      throw new Error("The kit for Go needs Go 1.24 or newer. Install it.", { cause });
    });
    await go("mod", "edit", `-require=${kit}@v0.1.0`, `-replace=${kit}=${join(repoDir, "kits/go")}`);
  },
  command: async (folder) => {
    await run("go", ["build", "-o", "agent", "."], { cwd: folder, env });
    return [join(folder, "agent")];
  },
};
