import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeMachine } from "../machine.ts";
import { readLoadOptions, usage } from "./options.ts";
import { isFlawless, renderLoadReport } from "./report.ts";
import { runLoad } from "./run-load.ts";

const page = resolve(import.meta.dirname, "../../../docs/load.md");

async function main(): Promise<void> {
  const options = readLoadOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const machine = describeMachine();
  const figures = await runLoad(options, (line) => process.stderr.write(`${line}\n`));
  const report = renderLoadReport({ machine, options, figures });
  process.stdout.write(options.json ? `${JSON.stringify({ machine, options, figures }, null, 2)}\n` : report);
  if (options.write) writeFileSync(page, report);
  if (!isFlawless(figures)) process.exitCode = 1;
}

// Leaving on a signal runs the exit handlers, which end every process.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().catch((error: unknown) => {
  process.stderr.write(`bench:load: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
