import { expect, test } from "vitest";
import { halfSetNotice, slackSettings } from "./slack-settings.ts";

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
