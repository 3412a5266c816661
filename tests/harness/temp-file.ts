import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentSettings, WorkflowDefinition } from "@crosszone/contracts";
import { onTestFinished } from "vitest";

/** Writes a file in a folder of its own. Ends with the test. */
export function tempFile(name: string, content: string): { path: string; write: (next: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, write: (next) => writeFileSync(path, next) };
}

/** Returns the variable that names a file with this policy. */
export const withPolicy = (policy: object): { POLICY_FILE: string } => ({
  POLICY_FILE: tempFile("policy.json", JSON.stringify(policy)).path,
});

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
