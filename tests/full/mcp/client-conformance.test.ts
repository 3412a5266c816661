import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const here = (name: string): string => join(import.meta.dirname, name);
const suite = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

test("the MCP client passes the conformance suite of 2026-07-28, except for what is listed with a reason", async () => {
  const node = [process.execPath, "--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
  const command = [...node, here("conformance-client.ts")].join(" ");
  const revision = ["--requirements", "2026-07-28", "--timeout", "15000"];
  const args = [
    suite,
    "client",
    "--command",
    command,
    ...revision,
    "--expected-failures",
    here("client-failures.yaml"),
  ];
  // Rejects with the suite's report when its exit code is not 0.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  const report = stdout + stderr;
  expect(report).toMatch(/✓ tools_call: /);
  expect(report).toMatch(/✓ auth\/client-credentials-jwt: /);
  expect(report).not.toMatch(/✗ auth\/client-credentials/);
}, 120_000);
