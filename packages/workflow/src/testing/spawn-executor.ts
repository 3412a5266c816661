import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("executor-program.ts", import.meta.url));

/**
 * Starts an executor as a separate process that can be killed. It ends with the test at the latest. Resolves once it has started. It
 * kills itself when it calls the agent of `deadlyStep`.
 */
export async function spawnExecutor(url: string, deadlyStep = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, deadlyStep], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const died = once(child, "exit").then(([code]) => {
    throw new Error(`the executor exited before it had started, with ${String(code)}`);
  });
  await Promise.race([once(child.stdout, "data"), died]);
  died.catch(() => undefined);
  return child;
}
