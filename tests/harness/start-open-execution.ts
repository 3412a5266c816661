import { resolve } from "node:path";
import { startProcess } from "./start-process.ts";

/** The execution zone as its own process on a free port of loopback, without a token. Ends with the test. */
export async function startOpenExecution(env: Record<string, string> = {}): Promise<{ url: string }> {
  return startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { EXECUTION_PORT: "0", EXECUTION_TOKEN: "", ...env },
  });
}
