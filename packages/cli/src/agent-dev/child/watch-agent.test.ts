import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchAgent } from "./supervise.ts";

test("edits of sources count, also of replaced files and in new folders; data and dependencies don't", async () => {
  const folder = mkdtempSync(join(tmpdir(), "watch-"));
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, "agent.py"), "1");
  const seen: string[] = [];
  const stop = watchAgent(folder, (path) => seen.push(path));
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (path: string): void => writeFileSync(join(folder, path), "2");
  for (const path of ["memory.json", "agent.log", "node_modules/a.js", ".agent.py.swp", "a.pyc"]) write(path);
  mkdirSync(join(folder, "prompts"));
  write("agent.py");
  await expect.poll(() => seen).toEqual(["agent.py"]);
  write("prompts/system.md");
  await expect.poll(() => seen.at(-1)).toBe("prompts/system.md");
  write("agent.py~");
  renameSync(join(folder, "agent.py~"), join(folder, "agent.py"));
  await expect.poll(() => seen).toEqual(["agent.py", "prompts/system.md", "agent.py"]);
});
