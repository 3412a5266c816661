/**
 * `pnpm data:export`, `pnpm data:purge`, …: the data commands for both zones, in the environment of `pnpm dev`. For a deployed zone, `node
 * dist/data.js` does the same for that zone alone.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openExecutionData } from "../../apps/execution/src/ops/data/open-execution-data.ts";
import { openVerificationData } from "../../apps/verification/src/ops/data/open-verification-data.ts";
import { runDataCommand } from "../../packages/ops/src/data/index.ts";
import { devEnvironment } from "./dev/environment.ts";

const root = resolve(import.meta.dirname, "../..");
if (existsSync(resolve(root, ".env"))) process.loadEnvFile(resolve(root, ".env"));
const { stdin, stdout, stderr, argv } = process;
const env = { ...process.env, ...devEnvironment(process.env).env };

process.exitCode = await runDataCommand({
  args: argv.slice(2),
  usage: "Usage: pnpm data:COMMAND, on the databases of `pnpm dev`, which may run meanwhile\n",
  // Verification first: it would send its open questions to execution again.
  open: [() => openVerificationData(env), () => openExecutionData(env)],
  terminal: { stdout, stderr, ...(stdin.isTTY && { stdin }) },
});
