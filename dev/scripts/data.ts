/**
 * `./crosszone data export` and the like: the data commands for both zones, in the environment of `./crosszone dev`. For a deployed zone, `node
 * dist/data.js` does the same for that zone alone.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openExecutionData } from "../../apps/execution/src/zone/ops/data.ts";
import { openVerificationData } from "../../apps/verification/src/zone/tables.ts";
import { runDataCommand } from "../../packages/ops/src/data/index.ts";
import { devEnvironment } from "./dev/environment.ts";

const root = resolve(import.meta.dirname, "../..");
if (existsSync(resolve(root, ".env"))) process.loadEnvFile(resolve(root, ".env"));
const { stdin, stdout, stderr, argv } = process;
const env = { ...process.env, ...devEnvironment(process.env).env };

process.exitCode = await runDataCommand({
  args: argv.slice(2),
  usage: "Usage: ./crosszone data COMMAND, on the databases of `./crosszone dev`, which may run meanwhile\n",
  env,
  // Verification first: it would send its open questions to execution again.
  zones: { verification: openVerificationData, execution: openExecutionData },
  terminal: { stdout, stderr, ...(stdin.isTTY && { stdin }) },
});
