import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentSettings, WorkflowDefinition } from "@crosszone/contracts";
import { onTestFinished } from "vitest";

/** Writes a folder for WORKFLOWS_DIR, of these workflows, and gives its path. It goes with the test. */
export async function writeWorkflows(...definitions: readonly WorkflowDefinition[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-workflows-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const definition of definitions)
    await writeFile(join(folder, `${definition.workflow_id}.json`), JSON.stringify(definition, undefined, 2));
  return folder;
}

/** Writes a file for AGENTS_FILE, of these agents or of this text, and gives its path. It goes with the test. */
export async function writeAgentsFile(agents: readonly AgentSettings[] | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-agents-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "agents.yaml");
  // JSON is YAML.
  await writeFile(path, typeof agents === "string" ? agents : JSON.stringify({ agents }, undefined, 2));
  return path;
}
