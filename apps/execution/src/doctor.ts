/**
 * `node dist/doctor.js`: finds mistakes in this zone's configuration by trying it on the machine where the zone will
 * run.
 */
import { processOutput, runDoctor } from "@crosszone/ops/doctor";
import { executionDoctor } from "./ops/doctor/execution-doctor.ts";

const help = `Usage: node dist/doctor.js [--json]\n\nReads the environment as the execution zone does, and tries it on this machine: the port, the token, the agents, the limits.\nChanges nothing and runs no task. Prints no secrets.\n`;

process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  help,
  plan: () => [executionDoctor(process.env)],
  output: processOutput(process, process.env),
});
