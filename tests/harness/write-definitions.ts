import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentSettings, WorkflowDefinition } from "@crosszone/contracts";
import { onTestFinished } from "vitest";

/** Writes a file for AGENTS_FILE, from agents or text, and returns its path. It is removed with the test. */
export async function writeAgentsFile(agents: readonly AgentSettings[] | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-agents-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "agents.yaml");
  // JSON is YAML.
  await writeFile(path, typeof agents === "string" ? agents : JSON.stringify({ agents }, undefined, 2));
  return path;
}

/** Writes these workflows to a folder for WORKFLOWS_DIR and returns its path. It is removed with the test. */
export async function writeWorkflows(...definitions: readonly WorkflowDefinition[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-workflows-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const definition of definitions)
    await writeFile(join(folder, `${definition.workflow_id}.json`), JSON.stringify(definition, undefined, 2));
  return folder;
}
