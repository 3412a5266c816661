import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("executor-program.ts", import.meta.url));

export interface SpawnOptions {
  readonly execArgv?: readonly string[];
  /** The step whose calls kill the process. */
  readonly deadlyStep?: string;
  /** Whether it also runs calls. It prints each task. */
  readonly hasAgents?: boolean;
}

/** Starts an executor as a separate process that can be killed. It ends with the test at the latest. Resolves once it has started. */
export async function spawnExecutor(
  url: string,
  { execArgv = [], deadlyStep = "", hasAgents = false }: SpawnOptions = {},
): Promise<ChildProcess> {
  const given = [url, deadlyStep, ...(hasAgents ? ["agents"] : [])];
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", ...execArgv, program, ...given], {
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
