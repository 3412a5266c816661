import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { type Contract, readContract, withEnumerations } from "../../../packages/contracts/src/testing/contract.ts";
import {
  generateAgentErrors,
  generateChannels,
  generateErrors,
  generateMethods,
  generateOpenRpc,
  generateTypes,
  generateValidators,
} from "./generate-code.ts";
import { generateOperations } from "./generate-operations.ts";
import { generateReference } from "./generate-reference.ts";

/** What the paths of `generateFiles` are relative to. */
export const repoDir: string = resolve(import.meta.dirname, "../../..");

const banner = "/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */\n";

/** Returns everything generated from the contract, by path. Writes nothing. */
export async function generateFiles(contract: Contract): Promise<Map<string, string>> {
  const schemas = await Promise.all(
    withEnumerations(contract).map(([path, text]) => formatted(`schemas/${path}`, text)),
  );
  return new Map([
    ...schemas,
    ["packages/contracts/src/generated/types.ts", banner + (await generateTypes(contract))],
    await formatted("packages/contracts/src/generated/validators.ts", banner + generateValidators(contract)),
    ["packages/contracts/src/generated/errors.ts", banner + generateErrors(contract)],
    ["packages/contracts/src/generated/agent-errors.ts", banner + generateAgentErrors(contract)],
    ["packages/contracts/src/generated/methods.ts", banner + generateMethods(contract)],
    ["packages/contracts/src/generated/channels.ts", banner + generateChannels(contract)],
    await formatted("packages/contracts/src/generated/operations.ts", banner + generateOperations(contract)),
    await formatted("packages/contracts/openrpc.json", JSON.stringify(generateOpenRpc(contract))),
    ...(await Promise.all([...generateReference(contract)].map(([path, text]) => formatted(path, text)))),
  ]);
}

async function formatted(path: string, text: string): Promise<[path: string, text: string]> {
  const filepath = resolve(repoDir, path);
  return [path, await format(text, { ...(await resolveConfig(filepath)), filepath })];
}

/**
 * Writes everything generated from schemas/. Run by `pnpm generate`; the output is committed. Unchanged files are not written, so that file
 * watchers do not restart.
 */

try {
  const contract = readContract();
  const files = await generateFiles(contract);
  for (const [path, text] of files) {
    const file = join(repoDir, path);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  process.stdout.write(`generated ${files.size} files from ${contract.types.length} types\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
