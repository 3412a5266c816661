import { resolve } from "node:path";
import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { devEnvironment } from "./environment.ts";

const root = resolve(import.meta.dirname, "../..");
const namesOf = (env: Record<string, string>): string[] => devEnvironment(env).services.map(({ name }) => name);

test("with the local Slack the sample agents run, in a file of that start, and may be asked beside those that may be anyway", () => {
  const dev = devEnvironment({ DEV_AGENTS_PORT: "3201", AGENT_ORIGINS: "https://agents.example.com" });
  expect(dev.services).toContainEqual(expect.objectContaining({ name: "dev-agents", url: "http://127.0.0.1:3201" }));
  expect(dev.env).toMatchObject({
    AGENTS_FILE: resolve(root, ".crosszone/local/3000/agents.yaml"),
    AGENT_ORIGINS: "https://agents.example.com,http://127.0.0.1:3201",
    DEV_AGENTS_PORT: "3201",
  });
  expect(devEnvironment({}).env["AGENT_ORIGINS"]).toBe("http://127.0.0.1:3200");
  expect(banner(dev)).toContain("ask proofreader: This is is a test .");
});

test("with a file of one's own there are the agents of that file, found from the repository's root", () => {
  const env = { AGENTS_FILE: "my/agents.yaml", AGENT_SECRETS_DIR: "/run/secrets", AGENT_ORIGINS: "https://a.example" };
  expect(namesOf(env)).not.toContain("dev-agents");
  const dev = devEnvironment(env);
  expect(dev.env).toMatchObject({ AGENTS_FILE: resolve(root, "my/agents.yaml"), AGENT_SECRETS_DIR: "/run/secrets" });
  expect(dev.env).not.toHaveProperty("AGENT_ORIGINS");
  expect(banner(dev)).not.toContain("ask proofreader");
});

test("the examples of workflows are there with the sample agents, which do their steps, and with no others", () => {
  expect(devEnvironment({}).env["WORKFLOWS_DIR"]).toBe(resolve(root, "examples/workflows"));
  expect(devEnvironment({ WORKFLOWS_DIR: "my/workflows" }).env["WORKFLOWS_DIR"]).toBe(resolve(root, "my/workflows"));
  expect(devEnvironment({ AGENTS_FILE: "my/agents.yaml" }).env).not.toHaveProperty("WORKFLOWS_DIR");
  const own = { AGENTS_FILE: "my/agents.yaml", WORKFLOWS_DIR: "/srv/workflows" };
  expect(devEnvironment(own).env["WORKFLOWS_DIR"]).toBe("/srv/workflows");
});

test("people of a real workspace get no sample agents", () => {
  const real = { SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" };
  expect(namesOf(real)).toEqual(["execution", "verification"]);
  expect(devEnvironment(real).env).not.toHaveProperty("AGENTS_FILE");
  expect(devEnvironment(real).env).not.toHaveProperty("WORKFLOWS_DIR");
});
