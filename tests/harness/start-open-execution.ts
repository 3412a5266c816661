import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** The execution zone as its own process on a free port of loopback, without a token. Ends with the test. */
export async function startOpenExecution(): Promise<{ url: string }> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    env: { ...process.env, EXECUTION_PORT: "0", EXECUTION_TOKEN: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line) as { event: string; url?: string };
    if (event === "listening" && url !== undefined) return { url };
  }
  throw new Error("the execution zone ended before it listened");
}
