import { expect, test } from "vitest";
import { loadExecutionConfig } from "../../../apps/execution/src/config/config.ts";
import { loadVerificationConfig } from "../../../apps/verification/src/config/config.ts";
import { executionVariables, type slackSettings, verificationVariables } from "../../../deploy/aws/variables.ts";
import { endpointName } from "./agentcore/runtime-calls.ts";
import { runtimeArn } from "./testing/fake-runtime.ts";

test("each zone starts with what its stack on AWS gives it", () => {
  const given = { AWS_REGION: "eu-central-1", MODEL: "bedrock/eu.anthropic.claude-x", VERIFICATION_URL: "" };
  const execution = loadExecutionConfig({ ...executionVariables, ...given });
  expect(execution.values).toMatchObject({ HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" });

  const secrets: Record<(typeof slackSettings)[number], string> = {
    SLACK_BOT_TOKEN: "xoxb-1-2-abcdefghijkl",
    SLACK_SIGNING_SECRET: "0123456789abcdef0123456789abcdef",
    DATA_KEYS: `first:${Buffer.alloc(32, 1).toString("base64")}`,
  };
  const database = { DATABASE_URL: "postgresql://crosszone:password@db.example.com:5432/crosszone?sslmode=no-verify" };
  const named = { ...verificationVariables, AGENTCORE_RUNTIME_ARN: runtimeArn };
  const verification = loadVerificationConfig({ ...named, ...secrets, ...database });
  expect(verification.values).toMatchObject({ EXECUTION_TRANSPORT: "agentcore", AGENTCORE_QUALIFIER: endpointName });
  expect(execution.warnings).toEqual([]);
  // The image does not have the authority of RDS; the connection stays in the VPC.
  expect(verification.warnings).toEqual([expect.stringContaining("sslmode=no-verify")]);
});
