/** `./crosszone config check`: checks the files of settings of both zones, those of the environment and .env. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const help = `Usage: ./crosszone config check [--json]

Checks the files in VERIFICATION_FILE and EXECUTION_FILE, and the files that they name, as the zones read them: every mistake with its file,
line and column, and what to write. Reads the environment and .env; changes nothing, and shows no values.
Exit code: 0 without a mistake, 1 with one, 2 usage error.
`;

const envFile = resolve(import.meta.dirname, "../..", ".env");
if (process.argv.includes("--help")) process.stdout.write(help);
else {
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  await import("../../apps/verification/src/config.ts");
  await import("../../apps/execution/src/config.ts");
}
