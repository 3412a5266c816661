import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSettings } from "@crosszone/contracts";
import { bracketWorkflows } from "../../harness/bracket-workflows.ts";

/** How retryTransient the agents of a run are asked: whatever breaks on the way breaks for seconds only. */
const longTimeouts: Partial<AgentSettings> = {
  timeout_ms: 20_000,
  max_concurrency: 100,
  retry: { max_retries: 10, base_ms: 50, max_ms: 1_000 },
  breaker: { failures: 1_000, open_ms: 1_000 },
};

/** Writes the agents `newer` and `older` of a server, and their workflows, to a folder; returns execution's variables for them. */
export function writeAgentFiles(folder: string, url: string): Record<string, string> {
  const agents: readonly AgentSettings[] = [
    { name: "newer", url: `${url}/newer`, protocol: "jsonrpc-2.0", ...longTimeouts },
    { name: "older", url: `${url}/older`, protocol: "simple-a2a", ...longTimeouts },
  ];
  const [file, workflows] = [join(folder, "agents.yaml"), join(folder, "workflows")];
  mkdirSync(workflows, { recursive: true });
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ agents }));
  for (const { definition } of bracketWorkflows)
    writeFileSync(join(workflows, `${definition.workflow_id}.json`), JSON.stringify(definition));
  return { AGENTS_FILE: file, WORKFLOWS_DIR: workflows, AGENT_ORIGINS: new URL(url).origin };
}
