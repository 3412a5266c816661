import { format, resolveConfig } from "prettier";
import { resolve } from "node:path";
import type { ApiSources, Contract } from "./contract.ts";
import { generateAgentsReference } from "./generate-agents-reference.ts";
import { generateApiReference } from "./generate-api-reference.ts";
import { generateOpenApi } from "./generate-openapi.ts";
import { generateOpenRpc } from "./generate-openrpc.ts";
import { generateProtocolReference } from "./generate-protocol-reference.ts";
import { generateAgentErrors, generateChannels, generateErrors, generateMethods } from "./generate-tables.ts";
import { generateTypes } from "./generate-types.ts";
import { generateValidators } from "./generate-validators.ts";
import { withVariantNames } from "./variant-names.ts";

/** What the paths of `generateFiles` are relative to. */
export const repoDir: string = resolve(import.meta.dirname, "../../..");

const banner =
  "/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */\n";

/** Returns everything generated from the contract, by path. Writes nothing. */
export async function generateFiles(contract: Contract): Promise<Map<string, string>> {
  const schemas = await Promise.all(
    [...withVariantNames(contract.schemasDir, contract.schemas)].map(([path, text]) =>
      formatted(`schemas/${path}`, text),
    ),
  );
  return new Map([
    ...schemas,
    ["packages/contracts/src/generated/types.ts", banner + (await generateTypes(contract))],
    ["packages/contracts/src/generated/validators.ts", banner + generateValidators(contract)],
    ["packages/contracts/src/generated/errors.ts", banner + generateErrors(contract)],
    ["packages/contracts/src/generated/agent-errors.ts", banner + generateAgentErrors(contract)],
    ["packages/contracts/src/generated/methods.ts", banner + generateMethods(contract)],
    ["packages/contracts/src/generated/channels.ts", banner + generateChannels(contract)],
    await formatted("packages/contracts/openrpc.json", JSON.stringify(generateOpenRpc(contract))),
    ["packages/admin-api/src/generated/admin-api.ts", banner + generateApi(contract, "frame")],
    ["packages/agent-bridge/src/generated/registry-api.ts", banner + generateApi(contract, "registry")],
    ["apps/execution/src/generated/mcp-api.ts", banner + generateApi(contract, "mcp")],
    ["apps/execution/src/generated/task-api.ts", banner + generateApi(contract, "task")],
    ["apps/execution/src/generated/usage-api.ts", banner + generateApi(contract, "usage")],
    ["packages/workflow/src/generated/workflow-api.ts", banner + generateApi(contract, "workflow")],
    await formatted("docs/reference/protocol.md", generateProtocolReference(contract)),
    await formatted("docs/reference/agents.md", generateAgentsReference(contract)),
    await formatted("docs/reference/api.md", generateApiReference(contract)),
  ]);
}

const apiNames = {
  frame: { name: "adminApi", types: "../api-part.ts", says: "what every part of the API has in common" },
  registry: { name: "registryApi", types: "@crosszone/admin-api", says: "the registry's API" },
  mcp: { name: "mcpApi", types: "@crosszone/admin-api", says: "the API of MCP servers" },
  task: { name: "taskApi", types: "@crosszone/admin-api", says: "the API of tasks" },
  usage: { name: "usageApi", types: "@crosszone/admin-api", says: "the API of usage" },
  workflow: { name: "workflowApi", types: "@crosszone/admin-api", says: "the API of workflows and their runs" },
} as const;

/** Generated as code, so that it is included when the package is bundled. */
function generateApi(contract: Contract, part: keyof ApiSources): string {
  const { name, types, says } = apiNames[part];
  const document = generateOpenApi(contract, contract.api[part]);
  return `import type { OpenApiDocument } from "${types}";

/** The OpenAPI 3.1 document of ${says}. */
export const ${name}: OpenApiDocument = ${JSON.stringify(document, undefined, 2)};
`;
}

async function formatted(path: string, text: string): Promise<[path: string, text: string]> {
  const filepath = resolve(repoDir, path);
  return [path, await format(text, { ...(await resolveConfig(filepath)), filepath })];
}
