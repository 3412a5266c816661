import { format, resolveConfig } from "prettier";
import { resolve } from "node:path";
import type { Contract } from "./contract.ts";
import { generateAgentsReference } from "./generate-agents-reference.ts";
import { generateApiReference } from "./generate-api-reference.ts";
import { generateOpenRpc } from "./generate-openrpc.ts";
import { generateProtocolReference } from "./generate-protocol-reference.ts";
import { generateAgentErrors, generateChannels, generateErrors, generateMethods } from "./generate-tables.ts";
import { generateTypes, generateValidators } from "./generate-types.ts";
import { withEnumerations } from "./enumerations.ts";

/** What the paths of `generateFiles` are relative to. */
export const repoDir: string = resolve(import.meta.dirname, "../../..");

const banner =
  "/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */\n";

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
    await formatted("packages/contracts/openrpc.json", JSON.stringify(generateOpenRpc(contract))),
    await formatted("docs/reference/protocol.md", generateProtocolReference(contract)),
    await formatted("docs/reference/agents.md", generateAgentsReference(contract)),
    await formatted("docs/reference/api.md", generateApiReference(contract)),
  ]);
}

async function formatted(path: string, text: string): Promise<[path: string, text: string]> {
  const filepath = resolve(repoDir, path);
  return [path, await format(text, { ...(await resolveConfig(filepath)), filepath })];
}
