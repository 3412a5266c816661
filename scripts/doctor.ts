/**
 * `pnpm run doctor`: tells what is wrong with the configuration that `pnpm dev` would read, in the environment or in .env, by trying it on
 * the real peers. Where a zone is deployed, `node dist/doctor.js` does the same for that zone alone.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { processOutput, runDoctor } from "../packages/service-kit/src/doctor/index.ts";
import { doctorPlan } from "./doctor/plan.ts";

const help = `Usage: pnpm run doctor [--json]

Reads the environment and .env as \`pnpm dev\` does, and tries what it finds on the real peers: Slack, the execution zone, this machine.
Changes nothing: no message is posted and no task is run. Prints no secret.
`;

const envFile = resolve(import.meta.dirname, "..", ".env");
if (existsSync(envFile)) process.loadEnvFile(envFile);
process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  help,
  plan: () => doctorPlan(process.env),
  output: processOutput(process, process.env),
});
