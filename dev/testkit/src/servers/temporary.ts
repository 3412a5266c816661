import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Answer, listen } from "./listen.ts";

export { type Answer, answering } from "./listen.ts";

/** Makes a folder with these files. It is removed when the test ends. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Listens on a free port of loopback until the test ends. Resolves with the origin. */
export async function serve(what: Answer | Server): Promise<string> {
  const { url, stop } = await listen(what);
  onTestFinished(stop);
  return url;
}

/** Writes a file in a folder of its own, and returns its path. It is removed when the test ends. */
export function tempFile(name: string, text: string): string {
  return join(tempFolder({ [name]: text }), name);
}
