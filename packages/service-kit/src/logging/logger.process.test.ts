// suite: rest
// @module-tag judge
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

/** A process that logs to its standard output when its input ends, then exits. */
function startLogging(): ChildProcessByStdio<Writable, Readable, null> {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL("./logger.ts", import.meta.url).href)};
    const logger = createLogger({ zone: "z", level: "info", events: { said: { level: "info", means: "A line", fields: { line: "number" } } } });
    process.stdin.resume().on("end", () => {
      for (let line = 1; line <= 100; line++) logger.info("said", { line });
      process.exit(7);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("lines are written if the process exits right after logging them", async () => {
  const child = startLogging();
  const exited = once(child, "exit");
  child.stdin.end();
  expect((await text(child.stdout)).trim().split("\n")).toHaveLength(100);
  expect((await exited)[0]).toBe(7);
});

test("a process whose output has no reader still exits", async () => {
  const child = startLogging();
  const exited = once(child, "exit");
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  expect((await exited)[0]).toBe(7);
});
