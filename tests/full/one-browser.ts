import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Global setup of Vitest: one browser for all page tests of a run. It starts when the first of them asks where it is. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined;
  const addressOf = async (): Promise<string> => {
    if (!existsSync(executablePath))
      throw new Error(`no browser at ${executablePath}: install chromium or set CHROMIUM_PATH`);
    browser ??= chromium.launchServer({ executablePath, args });
    return (await browser).wsEndpoint();
  };
  const server = createServer((_request, response) => {
    addressOf().then(
      (address) => response.end(address),
      (error: unknown) => response.writeHead(503).end(String(error)),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  project.provide("browser", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await (await browser)?.close();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the browser. */
    readonly browser: string;
  }
}
