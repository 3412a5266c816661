/** `./crosszone config check`: checks the files of settings of both zones, those of the environment and .env. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
if (existsSync(resolve(root, ".env"))) process.loadEnvFile(resolve(root, ".env"));
await import("../../apps/verification/src/config.ts");
await import("../../apps/execution/src/config.ts");
