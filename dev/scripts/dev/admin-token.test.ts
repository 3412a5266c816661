import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepAdminToken } from "./admin-token.ts";
import { devEnvironment } from "./environment.ts";

test("the admin token is kept between starts in a file that only its owner can read; a configured token is not changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "admin-token-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const starts = [devEnvironment({}), devEnvironment({})];
  for (const dev of starts) keepAdminToken(dev, join(folder, "data"));
  const [first, second] = starts.map(({ env }) => env["AGENT_ADMIN_TOKENS"]);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(second).toBe(first);
  const path = join(folder, "data", "admin-token");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "cut");
  const third = devEnvironment({});
  keepAdminToken(third, join(folder, "data"));
  expect(third.env["AGENT_ADMIN_TOKENS"]).toMatch(/^[\w-]{43}$/);
  const own = devEnvironment({ AGENT_ADMIN_TOKENS: "mine" });
  keepAdminToken(own, join(folder, "data"));
  expect(own.env).not.toHaveProperty("AGENT_ADMIN_TOKENS");
});
