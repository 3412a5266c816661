import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { devEnvironment } from "./environment.ts";

const slackOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(devEnvironment(env).env).filter(([name]) => name.startsWith("SLACK_")));

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

test("the banner reports an incomplete set of a real app's settings", () => {
  expect(banner(devEnvironment({ SLACK_BOT_TOKEN: "xoxb-real" }))).toContain(
    "SLACK_BOT_TOKEN is set, but real Slack also needs SLACK_SIGNING_SECRET (or SLACK_APP_TOKEN)",
  );
  expect(banner(devEnvironment({}))).not.toContain("real Slack");
});

test.each(["SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN"])(
  "with a bot token and %s, real Slack is used as it is",
  (name) => {
    const env = { SLACK_BOT_TOKEN: "xoxb-real", [name]: "real" };
    expect(devEnvironment(env).localSlack).toBe(false);
    expect(devEnvironment(env).services.map((service) => service.name)).toEqual(["execution", "verification"]);
    expect(slackOf(env)).toEqual({});
  },
);

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
  const [one, two] = [devEnvironment({}), devEnvironment({ AGENT_ADMIN_TOKENS: "" })];
  expect(one.env["AGENT_ADMIN_TOKENS"]).toMatch(/^[\w-]{43}$/);
  expect(one.env["AGENT_ADMIN_TOKENS"]).not.toBe(two.env["AGENT_ADMIN_TOKENS"]);
  for (const own of [{ AGENT_ADMIN_TOKENS: "mine" }, { AGENT_ADMIN_TOKENS_FILE: "/run/admins" }])
    expect(devEnvironment(own).env).not.toHaveProperty("AGENT_ADMIN_TOKENS");
});

test("agents download large files from the execution zone", () => {
  expect(devEnvironment({ EXECUTION_PORT: "4210" }).env["AGENT_FILES_URL"]).toBe("http://127.0.0.1:4210");
});

test("the execution zone gets the URL that it reads files from", () => {
  expect(devEnvironment({ VERIFICATION_PORT: "3210" }).env["VERIFICATION_URL"]).toBe("http://127.0.0.1:3210");
});
