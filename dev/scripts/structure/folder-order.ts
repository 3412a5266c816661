/**
 * For each `src` folder its folders, from top to bottom. A file imports from its own folder and from those below. A file right in `src` puts
 * the folders together, so it is above all of them; a file that all may import has a place in the list.
 */
const chains = {
  "apps/execution/src":
    "ops app.ts deps.ts roles observers config http methods ask files tasks agents inputs tokens usage database generated",
  "apps/verification/src":
    "ops config edge answering workspaces tracing policy inbox zone-link slack database limits.ts",
  "dev/agents/src": "http faults protocols samples",
  "dev/slack/src":
    "oauth chat page client server control interactivity commands web-api events traffic workspace protocol",
  "dev/testkit/src": "agentcore kafka clouds postgres servers",
  "packages/agent-bridge/src":
    "bridge registry-api calls discovery adapters client generated events limits registry secrets addresses protocol",
  "packages/agent/src": "http rpc tasks agent-definition.ts",
  "packages/assistant/src": "mcp turn memory tools calls failure.ts limits.ts models usage",
  "packages/builtin-agent/src": "skills texts numbers message",
  "packages/cli/src": "commands agent-dev conformance progress program api text generated",
  "packages/conformance/src": "checks simple a2a run conformance-options.ts wire",
  "packages/jobs/src": "worker store lease table",
  "packages/kafka-gateway/src": "gateway database bus",
  "packages/ops/src": "doctor data",
  "packages/service-kit/src": "tracing yaml vault lifecycle http metrics config logging timing values",
  "packages/sql/src": "owned migrations sqlite postgres query",
  "packages/workflow/src": "api generated runner definition store run steps state expressions mapping threads",
};

export type FolderOrder = Readonly<Record<string, readonly string[]>>;

export const folderOrder: FolderOrder = Object.fromEntries(
  Object.entries(chains).map(([src, chain]) => [src, chain.split(" ")]),
);
