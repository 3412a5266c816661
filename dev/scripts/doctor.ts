/**
 * `pnpm run doctor`: tests the configuration of `pnpm dev`, in the environment or in .env, against the real services. For a deployed zone,
 * `node dist/doctor.js` does the same for that zone alone.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { processOutput, runDoctor } from "../../packages/ops/src/doctor/index.ts";
import { doctorPlan } from "./doctor/plan.ts";

const help = `Usage: pnpm run doctor [--json]

Reads the environment and .env as \`pnpm dev\` does, and tests the configuration against the real services: Slack, the execution zone, this machine.
Changes nothing: posts no message and runs no task. Prints no secret.
`;

const envFile = resolve(import.meta.dirname, "../..", ".env");
if (existsSync(envFile)) process.loadEnvFile(envFile);
process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  help,
  plan: () => doctorPlan(process.env),
  output: processOutput(process, process.env),
});
