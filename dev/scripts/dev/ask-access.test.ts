import { createServer } from "node:http";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startTokens } from "../../../apps/execution/src/testing/start-ask.ts";
import { adminToken } from "../../../packages/admin-api/src/testing/start-admin-api.ts";
import { tempFolder } from "../../testkit/src/servers/temporary.ts";
import { expect, onTestFinished, test } from "vitest";
import { keepAskToken, prepareAsk } from "./ask-access.ts";
import { devEnvironment } from "./environment.ts";

test("programs ask at ASK_PORT, else at a free port, with a file that allows the token dev", async () => {
  const folder = join(tempFolder(), "data");
  const dev = devEnvironment({});
  const url = await prepareAsk(dev, { own: { ASK_PORT: "4107" }, folder });
  expect(url).toBe("http://127.0.0.1:4107");
  expect(dev.env).toMatchObject({
    ASK_PORT: "4107",
    ASK_URL: url,
    EXECUTION_FILE: expect.stringContaining(join(folder, "programs.yaml,")),
  });
  expect(readFileSync(join(folder, "programs.yaml"), "utf8")).toContain('token: dev, agents: ["*"]');
  const busy = createServer()
    .listen(4100, "127.0.0.1")
    .on("error", () => undefined);
  await Promise.race([once(busy, "listening"), once(busy, "error")]);
  onTestFinished(() => void busy.close());
  expect(await prepareAsk(devEnvironment({}), { own: {}, folder })).not.toMatch(/:(4100|0)$/);
});

test("the token is kept between starts, and replaced under another name when it no longer works", async () => {
  const zone = await startTokens("sqlite::memory:");
  const folder = tempFolder();
  const access = { url: zone.url.replace("/api/v1", ""), token: adminToken };
  const names = async () => {
    const { tokens = [] } = ((await zone.ask("GET /tokens")).body ?? {}) as { tokens?: { name: string }[] };
    return tokens.map(({ name }) => name);
  };
  const first = await keepAskToken(folder, access);
  expect([first?.slice(0, 3), await names()]).toEqual(["xz_", ["dev"]]);
  expect(statSync(join(folder, "ask-token")).mode & 0o777).toBe(0o600);
  const written = statSync(join(folder, "programs.yaml")).mtimeMs;
  expect(await keepAskToken(folder, access)).toBe(first);
  await prepareAsk(devEnvironment({}), { own: { ASK_PORT: "1" }, folder });
  // A zone reads its file again after each write, and logs it.
  expect(statSync(join(folder, "programs.yaml")).mtimeMs).toBe(written);
  await zone.ask("DELETE /tokens/dev");
  const second = await keepAskToken(folder, access);
  expect([second === first, await names()]).toEqual([false, [expect.stringMatching(/^dev-[0-9a-f]{6}$/)]]);
  expect(readFileSync(join(folder, "programs.yaml"), "utf8")).toContain((await names())[0]);
  await prepareAsk(devEnvironment({}), { own: { ASK_PORT: "1" }, folder });
  expect(readFileSync(join(folder, "programs.yaml"), "utf8")).toContain((await names())[0]);
  expect(await keepAskToken(tempFolder(), { ...access, token: "no-token" })).toBeUndefined();
});
