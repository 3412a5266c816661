import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { judge } from "./goals.ts";
import { describeMachine } from "./machine.ts";
import { measure } from "./measure.ts";
import { readOptions, usage } from "./options.ts";
import { renderReport } from "./report.ts";
import { summarise } from "./summary.ts";
import { errorText } from "@crosszone/service-kit/text";

const page = resolve(import.meta.dirname, "../../docs/benchmark.md");

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const machine = describeMachine();
  const samples = await measure(options, (text) => process.stderr.write(text));
  const summary = summarise(samples);
  const findings = { machine, plan: options.plan, summary, goals: judge(samples, summary) };
  const report = renderReport(findings);
  process.stdout.write(options.json ? `${JSON.stringify({ ...findings, samples }, null, 2)}\n` : report);
  if (options.write) writeFileSync(page, report);
}

// Leaving on a signal runs the exit handlers, which end every worker.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().catch((error: unknown) => {
  process.stderr.write(`\nbench: ${errorText(error)}\n`);
  process.exit(1);
});
