import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { startWithWorkflows } from "../harness/start-with-agents.ts";

vi.setConfig({ testTimeout: 60_000 });

test("execution starts and runs workflows as `pnpm dev` starts it, in Node's watch mode", async () => {
  const manifest = readFileSync(resolve(import.meta.dirname, "../../apps/execution/package.json"), "utf8");
  const { scripts } = JSON.parse(manifest) as { readonly scripts: { readonly dev: string } };
  const [command, ...args] = scripts.dev.split(" ");
  expect([command, args.includes("--watch")]).toEqual(["node", true]);
  const { runInSlack } = await startWithWorkflows({ args });
  expect((await runInSlack("publish-text", "This is is a text.")).text).toContain("SHA-256 of 42 bytes");
});
