import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
