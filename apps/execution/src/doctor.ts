/** `node dist/doctor.js`: tells what is wrong with the configuration of this zone, by trying it where it will run. */
import { processOutput, runDoctor } from "@crosszone/service-kit/doctor";
import { executionDoctor } from "./doctor/execution-doctor.ts";

const help = `Usage: node dist/doctor.js [--json]

Reads the environment as the execution zone does, and tries it on this machine: the port, the token, the agents, the limits.
Changes nothing: no task is run. Prints no secret.
`;

process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  help,
  plan: () => [executionDoctor(process.env)],
  output: processOutput(process, process.env),
});
