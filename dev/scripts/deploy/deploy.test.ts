import { describe, expect, test } from "vitest";
import { loadExecutionConfig } from "../../../apps/execution/src/config/config.ts";
import { loadVerificationConfig } from "../../../apps/verification/src/config/config.ts";
import { executionVariables, type slackSettings } from "../../../deploy/aws/variables.ts";
import { endpointName } from "./agentcore/runtime-calls.ts";
import { startAgentCorePlane } from "../../testkit/src/agentcore/agentcore-plane.ts";
import { deploy, digestA, useAws } from "./testing/deploy.ts";
import { runtimeArn } from "../../testkit/src/agentcore/fake-runtime.ts";
import { credentials, Refusal } from "../../testkit/src/agentcore/start-control-plane.ts";

const live = ["--live-digest"];

const ofRuntime = [...live, "--runtime", runtimeArn];

describe("run deploy", () => {
  test.each([
    [["verification", "--rollback"], 'Expected options only, got "verification".'],
    [["--runtime", runtimeArn], "Expected exactly one of --digest, --rollback and --live-digest."],
    [[...ofRuntime, "--rollback"], "Expected exactly one of"],
    [["--digest", "latest"], 'sha256: and 64 hexadecimal digits, got --digest "latest".'],
    [["--digest", digestA.toUpperCase()], "sha256: and 64 hexadecimal digits"],
    [["--digest", digestA, "--image", "me/image:latest"], "without tag and digest"],
    [[...ofRuntime, "--timeout", "soon"], 'got --timeout "soon"'],
    [[...ofRuntime, "--force"], "Unknown option '--force'"],
    [live, "Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution"],
    [[...live, "--runtime", "crosszone"], 'Expected the ARN of an AgentCore runtime, got "crosszone".'],
  ])("a wrong command says what is expected: %j", async (args, words) => {
    const { code, out, err } = await deploy(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
    expect(err).toContain("pnpm deploy:agentcore --help");
  });

  test("the help names every option", async () => {
    const { code, out } = await deploy(["--help"]);
    expect(code).toBe(0);
    for (const option of ["digest", "image", "rollback", "live-digest", "runtime", "timeout", "json"])
      expect(out).toContain(`--${option}`);
  });

  test("missing credentials say what to do", async () => {
    useAws({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_SESSION_TOKEN: undefined });
    expect(await deploy(ofRuntime)).toMatchObject({
      code: 1,
      err: expect.stringContaining("No AWS credentials were found. Sign in with aws sso login"),
    });
  });

  test("an address that does not answer is retried until --timeout, then named", async () => {
    useAws({ AWS_ENDPOINT_URL_BEDROCK_AGENTCORE_CONTROL: "http://127.0.0.1:1" });
    expect(await deploy([...ofRuntime, "--timeout", "4"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("AWS cannot be reached: connect ECONNREFUSED 127.0.0.1:1."),
      pauses: [1_000, 2_000],
    });
  });

  test("a refusal by AWS shows its first line only, never the signed request", async () => {
    const { plane } = await startAgentCorePlane({});
    const env = { AWS_ENDPOINT_URL_BEDROCK_AGENTCORE_CONTROL: plane.url };
    useAws({ ...env, AWS_SECRET_ACCESS_KEY: "another-secret" });
    const signed = await deploy(ofRuntime);
    expect(signed.code).toBe(1);
    expect(signed.err).toContain("AWS does not accept the credentials (InvalidSignatureException)");
    expect(signed.err).not.toContain(credentials.sessionToken);
    expect(signed.err).not.toContain("Canonical");
    useAws(env);
    const denied = new Refusal(403, "AccessDeniedException", { message: "not authorized to perform: GetAgentRuntime" });
    plane.trouble("GetAgentRuntimeEndpoint", { refuse: denied });
    const refused = await deploy([...live], { env: { AGENTCORE_RUNTIME_ARN: runtimeArn } });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("the output ExecutionDeployRole") });
    const other = await deploy([...live, "--runtime", runtimeArn.replace("A1b2", "Z1b2")]);
    expect(other).toMatchObject({ code: 1, pauses: [] });
  });
});

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
  const named = { EXECUTION_URL: `${runtimeArn}/runtime-endpoint/${endpointName}` };
  const verification = loadVerificationConfig({ ...named, ...secrets, ...database });
  expect(verification.values).toMatchObject(named);
  expect(execution.warnings).toEqual([]);
  // The image does not have the authority of RDS; the connection stays in the VPC.
  expect(verification.warnings).toEqual([expect.stringContaining("sslmode=no-verify")]);
});
