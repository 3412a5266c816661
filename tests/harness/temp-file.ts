import type { AgentSettings, WorkflowDefinition } from "@crosszone/contracts";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";

/** Returns the variable that names a file with this policy. */
export const withPolicy = (policy: object): { VERIFICATION_FILE: string } => ({
  VERIFICATION_FILE: tempFile("verification.yaml", JSON.stringify({ policy })),
});

/** Writes a file of settings with agents, from agents or text, and returns its path. JSON is YAML. */
export const writeAgentsFile = (agents: readonly AgentSettings[] | string): string =>
  tempFile("execution.yaml", typeof agents === "string" ? agents : JSON.stringify({ agents }, undefined, 2));

/** Writes a file of settings with these sections, and returns its path. */
export const writeSettings = (sections: object): string => tempFile("settings.yaml", JSON.stringify(sections));

/** Writes these workflows to a folder for WORKFLOWS_DIR and returns its path. */
export const writeWorkflows = (...definitions: readonly WorkflowDefinition[]): string =>
  tempFolder(
    Object.fromEntries(definitions.map((one) => [`${one.workflow_id}.json`, JSON.stringify(one, undefined, 2)])),
  );
