import { describe, expect, onTestFinished, test, vi } from "vitest";
import { loadExecutionConfig } from "../../../apps/execution/src/zone/config/config.ts";
import { loadVerificationConfig } from "../../../apps/verification/src/zone/config.ts";
import { executionVariables, type slackSettings } from "../../../deploy/aws/variables.ts";
import {
  startAgentCorePlane,
  credentials,
  Refusal,
  conflict,
  runtimeArn,
} from "../../testkit/src/agentcore/agentcore-plane.ts";
import { endpointName } from "./agentcore/runtime-calls.ts";
import { runDeploy } from "./run-deploy.ts";

const digestA = `sha256:${"a".repeat(64)}`;
const digestB = `sha256:${"b".repeat(64)}`;
const registry = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";

/** The environment of the AWS SDK: these variables, and nothing of the machine's. */
function useAws(env: Readonly<Record<string, string | undefined>> = {}): void {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const keys = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
  const nothing = {
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
  };
  const place = { AWS_REGION: "eu-central-1", AWS_DEFAULT_REGION: undefined, AWS_PROFILE: undefined };
  for (const [name, value] of Object.entries({ ...keys, ...nothing, ...place, ...env })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Runs `./crosszone deploy:agentcore` in this process, on a clock of its own: a pause takes no time. */
async function deploy(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  let now = Date.now();
  /** The pauses that it made, milliseconds. */
  const pauses: number[] = [];
  const said = { out: "", err: "" };
  const code = await runDeploy({
    args,
    env,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        pauses.push(ms);
      },
    },
  });
  return { code, ...said, pauses };
}

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
    expect(err).toContain("./crosszone deploy:agentcore --help");
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
    const refused = await deploy([...live], { AGENTCORE_RUNTIME_ARN: runtimeArn });
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

const repository = `${registry}/crosszone-execution`;
const artifact = (digest: string) => ({ containerConfiguration: { containerUri: `${repository}@${digest}` } });
const settings = {
  agentRuntimeArtifact: artifact(digestA),
  roleArn: "arn:aws:iam::123456789012:role/crosszone-execution-runtime",
  networkConfiguration: { networkMode: "PUBLIC" },
  environmentVariables: { HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" },
  lifecycleConfiguration: { idleRuntimeSessionTimeout: 600 },
  requestHeaderConfiguration: { requestHeaderAllowlist: ["X-Amzn-Bedrock-AgentCore-Runtime-Custom-Team"] },
};
const busy = (name: string, status: number): Refusal => new Refusal(status, name, { message: "Rate exceeded" });

async function startRuntime() {
  const started = await startAgentCorePlane(settings);
  useAws({ AWS_ENDPOINT_URL_BEDROCK_AGENTCORE_CONTROL: started.plane.url });
  const run = (...args: string[]) => deploy(["--runtime", runtimeArn, ...args]);
  return { ...started, run };
}

test("a digest becomes a version, and prod moves to it when it is ready", async () => {
  const { runtime, run } = await startRuntime();
  const { code, out, err } = await run("--digest", digestB);
  expect({ code, out }).toEqual({ code: 0, out: `execution: ${repository}@${digestB} is live, as version 2.\n` });
  expect(err).toMatch(
    /Version 2 of the runtime is UPDATING.*Version 2 of the runtime is READY.*Moving the endpoint prod/s,
  );
  expect(runtime.versions[1]?.settings).toEqual({ ...settings, agentRuntimeArtifact: artifact(digestB) });
  expect(runtime.endpoint).toEqual({
    liveVersion: "2",
    targetVersion: "2",
    status: "READY",
    description: "for verification",
  });
});

test("a live digest changes nothing", async () => {
  const { runtime, run } = await startRuntime();
  const { code, out } = await run("--digest", digestA);
  expect({ code, out }).toEqual({
    code: 0,
    out: `execution: ${repository}@${digestA} was already live, as version 1.\n`,
  });
  expect(runtime.versions).toHaveLength(1);
});

test("settings from elsewhere are kept, including those that the SDK does not know", async () => {
  const { runtime, run } = await startRuntime();
  const changed = {
    ...settings,
    environmentVariables: { MODEL: "bedrock/other" },
    authorizerConfiguration: {
      customJWTAuthorizer: { discoveryUrl: "https://id.example.com/.well-known/openid-configuration" },
    },
    protocolConfiguration: { serverProtocol: "HTTP", setOfTomorrow: [1, { two: 3 }] },
    settingOfTomorrow: { mode: "NEW" },
  };
  runtime.update(changed);
  const { code } = await run("--digest", digestB);
  expect(code).toBe(0);
  expect(runtime.versions[2]?.settings).toEqual({ ...changed, agentRuntimeArtifact: artifact(digestB) });
});

test("a deploy waits for another update, and keeps its settings", async () => {
  const { runtime, plane, run } = await startRuntime();
  plane.trouble("UpdateAgentRuntime", { refuse: conflict("being updated") });
  runtime.update({ ...settings, description: "by hand" });
  const { code, err } = await run("--digest", digestB);
  expect(code).toBe(0);
  expect(err).toContain("Version 2 of the runtime is UPDATING.");
  expect(err).toContain("Another deploy is under way.");
  expect(runtime.versions[2]?.settings).toMatchObject({ description: "by hand" });
});

test("a throttled call waits as long as AWS says, and a lost answer creates no second version", async () => {
  const { runtime, plane, run } = await startRuntime();
  plane.trouble("GetAgentRuntime", { refuse: busy("ThrottlingException", 429), headers: { "retry-after": "7" } });
  plane.trouble("UpdateAgentRuntime", "lose the answer", { refuse: busy("InternalServerException", 500) });
  plane.trouble("UpdateAgentRuntimeEndpoint", "lose the answer");
  const { code, pauses } = await run("--digest", digestB);
  expect(code).toBe(0);
  expect(pauses.slice(0, 3)).toEqual([7_000, 1_000, 2_000]);
  expect(runtime.versions).toHaveLength(2);
  expect(runtime.endpoint.liveVersion).toBe("2");
});

test("a version that fails leaves prod unchanged, and the error has the reason", async () => {
  const { runtime, run } = await startRuntime();
  runtime.nextVersions.push({ fails: "The image is not for linux/arm64" });
  const { code, out, err } = await run("--digest", digestB);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("Version 2 is UPDATE_FAILED: The image is not for linux/arm64. prod has not moved.");
  expect(runtime.endpoint).toMatchObject({ liveVersion: "1", status: "READY" });
  const again = await run("--digest", digestB);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("as version 3") });
});

test("a version that never becomes ready ends the wait at --timeout", async () => {
  const { runtime, run } = await startRuntime();
  runtime.nextVersions.push("never ends");
  const { code, err, pauses } = await run("--digest", digestB, "--timeout", "60");
  expect(code).toBe(1);
  expect(err).toContain(
    "Version 2 of the runtime is UPDATING; prod has not moved. The time that --timeout gives is over.",
  );
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
  expect(runtime.endpoint.liveVersion).toBe("1");
});

test("a failed move leaves the old version live, and the next run moves to the existing version", async () => {
  const { runtime, run } = await startRuntime();
  runtime.nextMoves.push({ fails: "No capacity" });
  const failed = await run("--digest", digestB, "--json");
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.out)).toEqual({
    status: "failed",
    error: "The endpoint prod is UPDATE_FAILED on version 1 and did not move to version 2: No capacity.",
  });
  expect(await run("--digest", digestB)).toMatchObject({
    code: 0,
    out: expect.stringContaining("is live, as version 2"),
  });
  expect(runtime.versions).toHaveLength(2);
});

test("a rollback goes to the last ready version, and skips failed ones", async () => {
  const { runtime, run } = await startRuntime();
  await run("--digest", digestB);
  runtime.nextVersions.push({ fails: "bad" });
  await run("--digest", `sha256:${"c".repeat(64)}`);
  await run("--digest", `sha256:${"d".repeat(64)}`);
  expect(runtime.endpoint.liveVersion).toBe("4");
  const { code, out } = await run("--rollback");
  expect({ code, out }).toEqual({ code: 0, out: `execution: ${repository}@${digestB} is live again, as version 2.\n` });
  expect(await run("--live-digest")).toMatchObject({ code: 0, out: `${digestB}\n` });
  await run("--rollback");
  const nothing = await run("--rollback");
  expect(nothing.code).toBe(1);
  expect(nothing.err).toContain(
    "Version 1 is live, and no version before it is ready. Deploy the image that you want by --digest.",
  );
});

test("a named repository replaces the current one, and one that AgentCore does not accept is refused with the reason", async () => {
  const { runtime, run } = await startRuntime();
  const { code, out } = await run("--digest", digestB, "--image", `${registry}/other`, "--json");
  expect(code).toBe(0);
  const image = `${registry}/other@${digestB}`;
  expect(JSON.parse(out)).toEqual({ status: "deployed", version: "2", image, digest: digestB });
  const refused = await run("--digest", digestA, "--image", "docker.io/me/other");
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining("AWS answered ValidationException: containerUri"),
  });
  expect(runtime.versions).toHaveLength(2);
});
