/**
 * `./crosszone doctor`: tests the configuration of `./crosszone dev` against the real services: that of the running one, else that of the environment
 * and .env. For a deployed zone, `node dist/doctor.js` does the same for that zone alone.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { runDoctor } from "../../packages/ops/src/doctor/index.ts";
import { doctorTables } from "./doctor/tables.ts";

const help = `Usage: ./crosszone doctor [--json]

Tests the settings of the running \`./crosszone dev\` against the real services: Slack, the execution zone, this machine.
If it isn't running, reads the environment and .env as \`./crosszone dev\` does.
Changes nothing: posts no message and runs no task. Prints no secret.
`;

const envFile = resolve(import.meta.dirname, "../..", ".env");
if (existsSync(envFile)) process.loadEnvFile(envFile);
await runDoctor({ args: process.argv.slice(2), help, tables: () => doctorTables(process.env), on: process });
