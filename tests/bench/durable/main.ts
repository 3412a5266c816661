import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeMachine } from "../machine.ts";
import { judgeDurable, lostOf } from "./goals.ts";
import { measureDurable } from "./measure.ts";
import { readDurableOptions, usage } from "./options.ts";
import { renderDurableReport } from "./report.ts";
import { summariseDurable } from "./summary.ts";

const page = resolve(import.meta.dirname, "../../../docs/bench-durable.md");

async function main(): Promise<void> {
  const options = readDurableOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const machine = describeMachine();
  const figures = await measureDurable(options, (text) => process.stderr.write(text));
  const tables = summariseDurable(figures.samples);
  const findings = { machine, plan: options.plan, tables, figures, goals: judgeDurable(figures) };
  const report = renderDurableReport(findings);
  process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : report);
  if (options.write) writeFileSync(page, report);
  if (lostOf(figures.kills) > 0) process.exitCode = 1;
}

// Leaving on a signal runs the exit handlers, which end every worker.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().catch((error: unknown) => {
  process.stderr.write(`\nbench:durable: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
