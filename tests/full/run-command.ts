import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a program and resolves with its stdout. The error of a failed program has its whole output. */
export async function run(
  program: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const env = { ...withoutCaller(process.env), ...quiet, ...options.env };
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: options.cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].join("\n"), { cause: error });
  }
}

/** pnpm must not install missing packages: the tests run it in folders without packages on purpose. */
const quiet = { NO_COLOR: "1", pnpm_config_verify_deps_before_run: "false" };

/** Returns the environment without the variables that pnpm sets for scripts and git for hooks. With them, programs would work on this repository. */
function withoutCaller(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(npm|pnpm|git)_/i.test(name) && name !== "NODE_OPTIONS");
  return Object.fromEntries(kept);
}
