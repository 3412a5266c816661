import { startDevSlackOAuth } from "@crosszone/dev-slack";
import { verificationDoctor } from "@crosszone/verification";
import { expect, onTestFinished, test } from "vitest";
import { advice, consultDoctor } from "../harness/consult-doctor.ts";

async function environment(): Promise<Record<string, string>> {
  const slack = await startDevSlackOAuth();
  onTestFinished(() => slack.close());
  return {
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_REDIRECT_URL: "http://127.0.0.1:3000/slack/oauth_redirect",
    SLACK_API_URL: slack.apiUrl,
    DATA_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
    ALLOWED_TEAMS: "T0NORTH0001",
    EXECUTION_URL: "http://127.0.0.1:9/rpc",
  };
}

test("with several workspaces, Slack is asked whether it knows the app, and no bot token is required", async () => {
  const found = await consultDoctor(verificationDoctor(await environment()));
  expect(found["configuration"]).toMatchObject({ status: "passed" });
  expect(found["slack oauth"]).toMatchObject({ status: "passed" });
  expect(found["slack token"]).toBeUndefined();
});

test.each([
  [{ SLACK_CLIENT_ID: "1.1" }, "invalid_client_id", "Client ID"],
  [{ SLACK_CLIENT_SECRET: "f".repeat(32) }, "bad_client_secret", "not the Signing Secret"],
])("%j: Slack's error, and what to do", async (wrong, word, todo) => {
  const found = await consultDoctor(verificationDoctor({ ...(await environment()), ...wrong }));
  expect(found["slack oauth"]).toMatchObject({ status: "failed" });
  expect(advice(found["slack oauth"])).toContain(word);
  expect(advice(found["slack oauth"])).toContain(todo);
});
