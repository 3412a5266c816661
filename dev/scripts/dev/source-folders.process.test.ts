// suite: rest
import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { sourceFolders } from "./source-folders.ts";

const root = resolve(import.meta.dirname, "../../..");

function newWorkspace(): (path: string) => string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "watch-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return (path) => join(folder, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** An app that loads an installed module, and a workspace package that loads another one. */
function writeApp(at: (path: string) => string): void {
  write(
    at("app/package.json"),
    JSON.stringify({ type: "module", dependencies: { near: "workspace:*", far: "1.0.0" } }),
  );
  write(
    at("app/src/main.ts"),
    `import "far";\nimport "near";\nconsole.log("started");\nsetInterval(() => {}, 1000);\n`,
  );
  write(at("app/node_modules/far/package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  write(at("app/node_modules/far/index.js"), "export {};\n");
  for (const [name, needs] of [
    ["near", { nearest: "workspace:*" }],
    ["nearest", {}],
    ["other", {}],
  ] as const) {
    write(
      at(`${name}/package.json`),
      JSON.stringify({ type: "module", exports: "./src/index.ts", dependencies: needs }),
    );
    write(at(`${name}/src/index.ts`), "export {};\n");
  }
  symlinkSync(at("near"), at("app/node_modules/near"));
  mkdirSync(at("near/node_modules"));
  symlinkSync(at("nearest"), at("near/node_modules/nearest"));
}

test("a new hard link to a loaded file of node_modules, as an installation in another project makes one, restarts nothing", async () => {
  const at = newWorkspace();
  writeApp(at);
  const lines: string[] = [];
  const child = spawn(process.execPath, [join(root, "dev/scripts/watch.ts"), "src/main.ts"], {
    cwd: at("app"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  createInterface({ input: child.stdout }).on("line", (line) => void lines.push(line));
  const starts = (): number => lines.filter((line) => line === "started").length;
  await expect.poll(starts).toBe(1);

  linkSync(at("app/node_modules/far/index.js"), at("linked.js"));
  write(at("other/src/index.ts"), "export const changed = true;\n");
  write(at("nearest/src/index.ts"), "export const changed = true;\n");
  await expect.poll(starts).toBeGreaterThan(1);
  const before = starts();
  write(at("app/src/part.ts"), "export {};\n");
  await expect.poll(starts).toBeGreaterThan(before);
  const changed = lines.flatMap((line) => /^Change detected in '(.*)'/.exec(line)?.[1] ?? []);
  expect([...new Set(changed)]).toEqual([at("nearest/src/index.ts"), at("app/src/part.ts")]);
});

test("each service of `./crosszone dev` watches its own sources and those of the workspace packages that it loads, and no others", () => {
  const watched = (app: string): string[] => sourceFolders(join(root, app)).map((path) => path.slice(root.length + 1));
  expect(watched("dev/slack")).toEqual(["dev/slack/src"]);
  expect(watched("dev/agents")).toEqual(["dev/agents/src", "packages/contracts/src"]);
  expect(watched("apps/execution")).toContain("packages/telemetry/src");
  expect(watched("apps/execution")).not.toContain("tools/cli/src");
  expect(watched("apps/verification")).not.toContain("packages/workflow/src");
});
