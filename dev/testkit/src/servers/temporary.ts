import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes a folder with these files. It is removed when the test ends. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Listens on a free port of loopback until the test ends. Resolves with the origin. */
export async function serve(what: RequestListener | Server | TlsServer): Promise<string> {
  const server = typeof what === "function" ? createServer(what) : what;
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes a file in a folder of its own, and returns its path. It is removed when the test ends. */
export function tempFile(name: string, text: string): string {
  return join(tempFolder({ [name]: text }), name);
}
