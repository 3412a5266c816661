/**
 * For each `src` folder its folders, from top to bottom. A file imports from its own folder and from those below. A file right in `src` puts
 * the folders together, so it is above all of them; a file that all may import has a place in the list.
 */
const chains = {
  "apps/execution/src": "zone doors tasks agents fires people usage store generated",
  "apps/verification/src": "zone edge asking cards showing workspaces policy inbox link slack limits.ts database.ts",
  "dev/agents/src": "http faults protocols samples",
  "dev/slack/src":
    "oauth chat page client server control interactivity commands web-api events traffic workspace protocol",
  "dev/testkit/src": "agentcore kafka clouds postgres servers",
  "packages/agent-bridge/src": "registry-api bridge calls client registry adapters generated protocol",
  "packages/assistant/src": "mcp turn memory tools calls failure.ts models usage-meter.ts",
  "packages/audit/src": "verify log read-audit.ts tree.ts audit-tables.ts",
  "packages/contracts/src": "testing schema-graph.ts validator.ts keywords.ts json.ts generated",
  "packages/jobs/src": "worker store table",
  "packages/kafka-gateway/src": "gateway bus",
  "packages/ops/src": "doctor data",
  "packages/service-kit/src": "lifecycle metrics tracing http config logging values",
  "packages/sql/src": "postgres migrate.ts made-tables.ts sqlite query",
  "packages/workflow/src": "api generated runner definition store run steps expressions mapping within-time.ts",
  "tools/agent/src": "tasks agent-definition.ts",
  "tools/cli/src": "commands agent-dev program api text generated",
  "tools/conformance/src": "checks a2a check.ts wire.ts",
};

export type FolderOrder = Readonly<Record<string, readonly string[]>>;

export const folderOrder: FolderOrder = Object.fromEntries(
  Object.entries(chains).map(([src, chain]) => [src, chain.split(" ")]),
);
