import { resolve } from "node:path";
import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { devEnvironment } from "./environment.ts";

const root = resolve(import.meta.dirname, "../../..");
const namesOf = (env: Record<string, string>): string[] => devEnvironment(env).services.map(({ name }) => name);

test("with the local Slack the sample agents run, and agents on this machine can be called in addition to AGENT_ORIGINS", () => {
  const dev = devEnvironment({ DEV_AGENTS_PORT: "3201", AGENT_ORIGINS: "https://agents.example.com" });
  expect(dev.services).toContainEqual(expect.objectContaining({ name: "dev-agents", url: "http://127.0.0.1:3201" }));
  expect(dev.env).toMatchObject({
    AGENTS_FILE: resolve(root, ".crosszone/local/3000/sample-agents.yaml"),
    AGENT_ORIGINS: "https://agents.example.com,http://127.0.0.1:*,http://localhost:*,http://[::1]:*",
    DEV_AGENTS_PORT: "3201",
  });
  expect(devEnvironment({}).env["AGENT_ORIGINS"]).toMatch(/^https:\/\/\*,http:\/\/127\.0\.0\.1:\*,/);
  expect(banner(dev)).toContain("ask proofreader: This is is a test .");
});

test("AGENTS_FILE adds to the samples, relative to the repository's root, and edits apply at once", () => {
  const env = { AGENTS_FILE: "my/agents.yaml, /srv/more.yaml", AGENT_SECRETS_DIR: "/run/secrets" };
  expect(namesOf(env)).toContain("dev-agents");
  const dev = devEnvironment(env);
  expect(dev.env).toMatchObject({
    AGENTS_FILE: [dev.samplesFile, resolve(root, "my/agents.yaml"), "/srv/more.yaml"].join(","),
    SHOW_AGENT_ERRORS: "true",
    AGENT_SECRETS_DIR: "/run/secrets",
  });
  expect(banner(dev)).toContain("ask proofreader");
});

test("the local Slack has the example workflows, unless WORKFLOWS_DIR names others", () => {
  expect(devEnvironment({}).env["WORKFLOWS_DIR"]).toBe(resolve(root, "examples/workflows"));
  expect(devEnvironment({ WORKFLOWS_DIR: "my/workflows" }).env["WORKFLOWS_DIR"]).toBe(resolve(root, "my/workflows"));
  const own = { AGENTS_FILE: "my/agents.yaml" };
  expect(devEnvironment(own).env["WORKFLOWS_DIR"]).toBe(resolve(root, "examples/workflows"));
  expect(devEnvironment({ ...own, WORKFLOWS_DIR: "/srv/w" }).env["WORKFLOWS_DIR"]).toBe("/srv/w");
});

test("people of a real workspace get no sample agents", () => {
  const real = { SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" };
  expect(namesOf(real)).toEqual(["execution", "verification"]);
  expect(devEnvironment(real).env).not.toHaveProperty("AGENTS_FILE");
  expect(devEnvironment(real).env).not.toHaveProperty("WORKFLOWS_DIR");
});
