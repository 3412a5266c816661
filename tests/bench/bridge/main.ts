import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeMachine } from "../machine.ts";
import { judgeBridge } from "./goals.ts";
import { measureBridge } from "./measure.ts";
import { readBridgeOptions, usage } from "./options.ts";
import { renderBridgeReport } from "./report.ts";

const page = resolve(import.meta.dirname, "../../../docs/bench-bridge.md");

async function main(): Promise<void> {
  const options = readBridgeOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const machine = describeMachine();
  const figures = await measureBridge(options, (text) => process.stderr.write(text));
  const findings = { machine, plan: options.plan, figures, goals: judgeBridge(figures) };
  const report = renderBridgeReport(findings);
  process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : report);
  if (options.write) writeFileSync(page, report);
}

// Leaving on a signal runs the exit handlers, which end every worker.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().catch((error: unknown) => {
  process.stderr.write(`\nbench:bridge: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
