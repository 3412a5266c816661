import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../testkit/src/servers/temporary.ts";
import { keepAdminToken } from "./admin-token.ts";
import { banner } from "./banner.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { devEnvironment } from "./environment.ts";
import { modelLines } from "./model-lines.ts";
import { halfSetNotice, slackSettings } from "./slack-settings.ts";
import { watchFolder } from "./watch-folder.ts";

const root = resolve(import.meta.dirname, "../../..");

const namesOf = (env: Record<string, string>): string[] => devEnvironment(env).services.map(({ name }) => name);

const real = { SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" };

const slackOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(devEnvironment(env).env).filter(([name]) => name.startsWith("SLACK_")));

test("the admin token is kept between starts in a file that only its owner can read; a configured token is not changed", () => {
  const folder = tempFolder();
  const starts = [devEnvironment({}), devEnvironment({})];
  for (const dev of starts) keepAdminToken(dev, join(folder, "data"));
  const [first, second] = starts.map(({ env }) => env["ADMIN_TOKENS"]);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(second).toBe(first);
  const path = join(folder, "data", "admin-token");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "cut");
  const third = devEnvironment({});
  keepAdminToken(third, join(folder, "data"));
  expect(third.env["ADMIN_TOKENS"]).toMatch(/^[\w-]{43}$/);
  const own = devEnvironment({ ADMIN_TOKENS: "mine" });
  keepAdminToken(own, join(folder, "data"));
  expect(own.env).not.toHaveProperty("ADMIN_TOKENS");
});

describe("agent settings", () => {
  test("with the local Slack the sample agents run, and agents on this machine can be called in addition to AGENT_ORIGINS", () => {
    const dev = devEnvironment({ DEV_AGENTS_PORT: "3201", AGENT_ORIGINS: "https://agents.example.com" });
    expect(dev.services).toContainEqual(expect.objectContaining({ name: "dev-agents", url: "http://127.0.0.1:3201" }));
    expect(dev.env).toMatchObject({
      EXECUTION_FILE: resolve(root, ".crosszone/local/3000/sample-agents.yaml"),
      AGENT_ORIGINS: "https://agents.example.com,http://127.0.0.1:*,http://localhost:*,http://[::1]:*",
      DEV_AGENTS_PORT: "3201",
    });
    expect(devEnvironment({}).env["AGENT_ORIGINS"]).toMatch(/^https:\/\/\*,http:\/\/127\.0\.0\.1:\*,/);
  });

  test("EXECUTION_FILE adds to the samples, relative to the repository's root, and edits apply at once", () => {
    const env = { EXECUTION_FILE: "my/agents.yaml, /srv/more.yaml", AGENT_SECRETS_DIR: "/run/secrets" };
    expect(namesOf(env)).toContain("dev-agents");
    const dev = devEnvironment(env);
    expect(dev.env).toMatchObject({
      EXECUTION_FILE: [dev.samplesFile, resolve(root, "my/agents.yaml"), "/srv/more.yaml"].join(","),
      SHOW_AGENT_ERRORS: "true",
      AGENT_SECRETS_DIR: "/run/secrets",
    });
  });

  test("the local Slack has the example workflows, unless WORKFLOWS_DIR names others", () => {
    expect(devEnvironment({}).env["WORKFLOWS_DIR"]).toBe(resolve(root, "examples/workflows"));
    expect(devEnvironment({ WORKFLOWS_DIR: "my/workflows" }).env["WORKFLOWS_DIR"]).toBe(resolve(root, "my/workflows"));
  });

  test("people of a real workspace get no sample agents", () => {
    expect(namesOf(real)).toEqual(["execution", "verification"]);
    expect(slackOf(real)).toEqual({});
    expect(devEnvironment(real).env).not.toHaveProperty("EXECUTION_FILE");
    expect(devEnvironment(real).env).not.toHaveProperty("WORKFLOWS_DIR");
  });
});

describe("data folder", () => {
  test("with real Slack, data is kept between starts, next to the sources or in DATA_DIR", () => {
    expect(devEnvironment(real).env["DATA_DIR"]).toBe(resolve(root, ".crosszone"));
    expect(devEnvironment({ ...real, DATA_DIR: "/srv/data" }).env["DATA_DIR"]).toBe("/srv/data");
    expect(devEnvironment({ ...real, DATABASE_URL: "postgres://db/x" }).env).not.toHaveProperty("DATABASE_URL");
  });

  test("data of the local Slack is always separate from real data, and each local Slack has its own folder", () => {
    const env = { DATA_DIR: "/srv/data", DATABASE_URL: "postgres://db/x" };
    const [one, other] = [devEnvironment(env), devEnvironment({ ...env, VERIFICATION_PORT: "3001" })];
    expect(one.env).toMatchObject({ DATABASE_URL: "", DATABASE_URL_FILE: "" });
    expect(one.env["DATA_DIR"]).toBe(resolve(root, ".crosszone/local/3000"));
    expect(other.env["DATA_DIR"]).not.toBe(one.env["DATA_DIR"]);
    expect(banner(one)).toContain("DATABASE_URL is only used with real Slack");
    expect(banner(devEnvironment({}))).not.toContain("DATABASE_URL");
  });

  test("a start keeps the messages and runs of earlier starts; a fresh start deletes everything", () => {
    const folder = tempFolder();
    const local = join(folder, "local");
    mkdirSync(local, { recursive: true });
    for (const file of ["verification.sqlite", "execution.sqlite", "slack.sqlite", "admin-token"])
      writeFileSync(join(local, file), "old");
    prepareDataFolder(local);
    expect(readdirSync(local).toSorted()).toEqual([
      "admin-token",
      "execution.sqlite",
      "slack.sqlite",
      "verification.sqlite",
    ]);
    expect(statSync(local).mode & 0o777).toBe(0o700);
    prepareDataFolder(local, { fresh: true });
    expect(readdirSync(local)).toEqual([]);
    prepareDataFolder(join(folder, "never", "there"));
    expect(existsSync(join(folder, "never", "there"))).toBe(true);
  });
});

describe("environment", () => {
  test("without real credentials there is a local Slack, with new secrets at each start", () => {
    const [one, two] = [slackOf({}), slackOf({})];
    expect(devEnvironment({}).services.map(({ name }) => name)).toContain("dev-slack");
    expect(one["SLACK_API_URL"]).toBe("http://127.0.0.1:3100/api/");
    for (const name of ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"]) expect(one[name]).not.toBe(two[name]);
  });

  test("an incomplete set of a real app's settings does not reach the local Slack", () => {
    const half = { SLACK_APP_TOKEN: "xapp-real", SLACK_APP_ID: "AREAL", SLACK_SIGNING_SECRET: "real" };
    expect(devEnvironment(half).localSlack).toBe(true);
    expect({ ...half, ...slackOf(half) }).toMatchObject({ SLACK_APP_TOKEN: "", SLACK_APP_ID: "" });
    expect(JSON.stringify({ ...half, ...slackOf(half) })).not.toContain("real");
  });

  test("secrets from files also select the real app, and an incomplete set does not reach the local Slack", () => {
    const files = { SLACK_BOT_TOKEN_FILE: "/run/bot", SLACK_SIGNING_SECRET_FILE: "/run/secret" };
    expect(devEnvironment(files).localSlack).toBe(false);
    expect(slackOf({ SLACK_BOT_TOKEN_FILE: "/run/bot" })).toMatchObject({ SLACK_BOT_TOKEN_FILE: "" });
  });

  test("the zone link always has a token of this start", () => {
    const [one, two] = [devEnvironment({ EXECUTION_TOKEN: "mine" }), devEnvironment({})];
    expect(one.env["EXECUTION_TOKEN"]).toMatch(/^[\w-]{43}$/);
    expect(one.env["EXECUTION_TOKEN"]).not.toBe(two.env["EXECUTION_TOKEN"]);
  });

  test("the API has a token of this start, unless it has one already", () => {
    const [one, two] = [devEnvironment({}), devEnvironment({ ADMIN_TOKENS: "" })];
    expect(one.env["ADMIN_TOKENS"]).toMatch(/^[\w-]{43}$/);
    expect(one.env["ADMIN_TOKENS"]).not.toBe(two.env["ADMIN_TOKENS"]);
    for (const own of [{ ADMIN_TOKENS: "mine" }, { ADMIN_TOKENS_FILE: "/run/admins" }])
      expect(devEnvironment(own).env).not.toHaveProperty("ADMIN_TOKENS");
  });

  test("agents download large files from the execution zone, which reads files from verification", () => {
    expect(devEnvironment({ EXECUTION_PORT: "4210", VERIFICATION_PORT: "3210" }).env).toMatchObject({
      EXECUTION_PUBLIC_URL: "http://127.0.0.1:4210",
      VERIFICATION_URL: "http://127.0.0.1:3210",
    });
  });
});

describe("model lines", () => {
  test("without a model there are three lines to copy", () => {
    const shown = modelLines({});
    for (const name of ["ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "OPENAI_BASE_URL="])
      expect(shown).toContainEqual(expect.stringMatching(new RegExp(`^${name}.* \\./crosszone dev$`)));
    expect(modelLines({ ANTHROPIC_API_KEY: "a", MODEL: "none" })).toEqual(shown);
    expect(banner(devEnvironment({}))).not.toMatch(/model|_KEY/);
  });

  test.each([
    [{ ANTHROPIC_API_KEY: "planted" }, "claude-sonnet-4-6 (Anthropic)"],
    [{ OPENAI_API_KEY_FILE: "/run/key" }, "gpt-5.2 (OpenAI)"],
    [{ MODEL: "bedrock/x" }, "x (Amazon Bedrock)"],
    [{ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "the model of http://127.0.0.1:1/v1 (OpenAI-compatible)"],
  ])("with %o the banner names the model, and no key", (env, shown) => {
    const lines = banner(devEnvironment(env));
    expect(lines).toContain(`Crosszone is up, with ${shown}. `);
    expect(lines).not.toContain("planted");
  });
});

describe("slack settings", () => {
  test.each([
    [{}, "none"],
    [{ SLACK_BOT_TOKEN: "" }, "none"],
    [{ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "s" }, "complete"],
    [{ SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" }, "complete"],
    [{ SLACK_CLIENT_ID: "1.2", SLACK_SIGNING_SECRET: "s" }, "complete"],
    [{ SLACK_BOT_TOKEN_FILE: "/run/t", SLACK_SIGNING_SECRET_FILE: "/run/s" }, "complete"],
  ])("%o is %s", (env, state) => {
    expect(slackSettings(env)).toEqual({ state });
    expect(halfSetNotice(slackSettings(env))).toBeUndefined();
  });

  test.each([
    [
      { SLACK_BOT_TOKEN: "xoxb-1" },
      "SLACK_BOT_TOKEN is set, but real Slack also needs SLACK_SIGNING_SECRET (or SLACK_APP_TOKEN)",
    ],
    [{ SLACK_SIGNING_SECRET: "s" }, "SLACK_SIGNING_SECRET is set, but real Slack also needs SLACK_BOT_TOKEN"],
    [
      { SLACK_APP_ID: "A1" },
      "SLACK_APP_ID is set, but real Slack also needs SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET (or SLACK_APP_TOKEN)",
    ],
    [
      { SLACK_APP_ID: "A1", SLACK_APP_TOKEN: "xapp-1" },
      "SLACK_APP_TOKEN, SLACK_APP_ID are set, but real Slack also needs SLACK_BOT_TOKEN",
    ],
  ])("half of what real Slack needs is said plainly: %o", (env, says) => {
    expect(halfSetNotice(slackSettings(env))).toBe(`${says}. Starting the local Slack instead.`);
  });
});

describe("watch folder", () => {
  test("an edit of a file in the folder is reported once, until the watch ends; hidden files are ignored", async () => {
    const folder = tempFolder();
    const onChanged = vi.fn<() => void>();
    const stop = watchFolder(folder, onChanged);
    onTestFinished(stop);
    writeFileSync(join(folder, ".a.json.swp"), "{");
    await delay(500);
    expect(onChanged).not.toHaveBeenCalled();
    for (const text of ["{", "{}"]) writeFileSync(join(folder, "a.json"), text);
    await vi.waitFor(() => expect(onChanged).toHaveBeenCalled());
    await delay(500);
    expect(onChanged).toHaveBeenCalledTimes(1);
    stop();
    writeFileSync(join(folder, "a.json"), "[]");
    await delay(500);
    expect(onChanged).toHaveBeenCalledTimes(1);
  });

  test("a missing folder is not an error of the watcher", () => {
    expect(watchFolder(join(tmpdir(), "no-such-folder"), () => undefined)).not.toThrow();
  });
});
