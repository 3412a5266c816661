/**
 * `pnpm lint:deploy`: checks the files that deploy the zones, with tools that it installs into a cache. A tool that this machine can't have
 * is a failure.
 */
import { checks, type Check } from "./lint-deploy/checks.ts";
import { ProgramError } from "./run-program.ts";
import { MissingToolError } from "./lint-deploy/tools.ts";

async function report({ name, run }: Check): Promise<boolean> {
  const begin = performance.now();
  const say = (mark: string, text: string): void =>
    console.log(`${mark} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s): ${text}`);
  try {
    say("✓", await run());
    return true;
  } catch (error) {
    if (error instanceof MissingToolError) say("✗", error.message);
    else if (error instanceof ProgramError) say("✗", `\n${error.message}`);
    else throw error;
    return false;
  }
}

const passed = await Promise.all(checks.map(report));
if (passed.includes(false)) process.exitCode = 1;
