import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a program to its end and gives what it wrote to stdout; the error of one that fails has all that it wrote. */
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

/** pnpm must not install what it finds missing: the tests run it in folders that have nothing installed on purpose. */
const quiet = { NO_COLOR: "1", pnpm_config_verify_deps_before_run: "false" };

/** What pnpm tells its scripts, and git its hooks, is not meant for what they start: it would work on this repository. */
function withoutCaller(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(npm|pnpm|git)_/i.test(name) && name !== "NODE_OPTIONS");
  return Object.fromEntries(kept);
}
