import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { openNotes } from "./testing/note-migrations.ts";

const program = fileURLToPath(new URL("testing/listen-program.ts", import.meta.url));

/** Starts a process that listens. `tell` lets it write a note. */
async function startListening(url: string) {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const heard: string[] = [];
  createInterface(child.stdout).on("line", (line) => heard.push(line));
  await vi.waitFor(() => expect(heard).toContain("listening"), 20_000);
  heard.length = 0;
  return {
    heard,
    tell: (id: string) => void child.stdin.write(`${id}\n`),
    end: async () => {
      child.stdin.end();
      return (await once(child, "exit")) as unknown[];
    },
  };
}

contractOnBothEngines("two listening processes", (newDatabase, engine) => {
  test("are notified of each other's commits, and both exit after their database is closed", async () => {
    const url = await newDatabase();
    await openNotes(url);
    const [one, other] = [await startListening(url), await startListening(url)];
    one.tell("a");
    await vi.waitFor(() => expect(other.heard).toEqual([engine === "sqlite" ? "look" : "a"]), 20_000);
    other.heard.length = 0;
    one.heard.length = 0;
    other.tell("b");
    await vi.waitFor(() => expect(one.heard).toEqual([engine === "sqlite" ? "look" : "b"]), 20_000);
    // SQLite does not notify a process of its own commits; PostgreSQL notifies every listener.
    expect(await Promise.all([one.end(), other.end()])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(other.heard).toEqual(engine === "sqlite" ? [] : ["b"]);
  });
});
