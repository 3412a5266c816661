import * as agentcore from "@aws-sdk/client-bedrock-agentcore";
import * as fc from "fast-check";
import { BedrockAgentCoreClient, InvokeAgentRuntimeCommand } from "@aws-sdk/client-bedrock-agentcore";
import { startAgentCoreStandIn } from "@crosszone/testkit";
import { describe, expect, test } from "vitest";
import { startAgentCore, type TestAgentCore } from "../testing/start-agentcore.ts";
import { fullJitterMs, platformExceptions, readRefusal, retryPlatformRefusals } from "./agentcore-transport.ts";

/** Exceptions of the package's other operations, which this zone does not call. */
const ofOtherOperations = [
  "ConflictException",
  "DuplicateIdException",
  "InvalidInputException",
  "ServiceException",
  "SubscriptionRequiredException",
  "ThrottledException",
  "UnauthorizedException",
];

describe("platform refusals", () => {
  test("every exception of the SDK has a decision, so a new one fails this test", () => {
    const { BedrockAgentCoreServiceException, ...others } = agentcore;
    const names = Object.entries(others)
      .filter(([, value]) => typeof value === "function" && value.prototype instanceof BedrockAgentCoreServiceException)
      .map(([name]) => name);
    expect(names.toSorted()).toEqual([...platformExceptions.keys(), ...ofOtherOperations].toSorted());
  });

  test("only the first line of an AWS message is reported, because the signed request follows it", () => {
    const thrown = Object.assign(new Error("It does not match.\n\nx-amz-security-token:secret"), {
      name: "InvalidSignatureException",
      $metadata: { httpStatusCode: 403, requestId: "request-1" },
    });
    expect(String(readRefusal(thrown)?.error.cause)).toBe(
      "Error: InvalidSignatureException: It does not match. (AWS request id request-1)",
    );
  });
});

describe("retry refused", () => {
  test("Z11: a pause is random between zero and a limit that doubles up to the maximum", () => {
    const backoff = { firstMs: 100, longestMs: 1_000 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (refusals) => {
        const pause = fullJitterMs(refusals, backoff);
        expect(pause).toBeGreaterThanOrEqual(0);
        expect(pause).toBeLessThanOrEqual(Math.min(1_000, 100 * 2 ** (refusals - 1)));
      }),
    );
    const pauses = Array.from({ length: 1_000 }, () => fullJitterMs(4, backoff));
    expect(Math.min(...pauses)).toBeLessThan(200);
    expect(Math.max(...pauses)).toBeGreaterThan(600);
  });

  test("an abort ends the pause", async () => {
    const controller = new AbortController();
    const refused = Object.assign(new Error("slow down"), {
      name: "ThrottlingException",
      $metadata: { httpStatusCode: 429 },
    });
    const call = (): Promise<never> => {
      setTimeout(() => controller.abort(), 5);
      return Promise.reject(refused);
    };
    const forever = { budgetMs: 2e9, firstMs: 1e9, longestMs: 1e9 };
    await expect(retryPlatformRefusals(call, { ...forever, signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});

/** The stand-in refuses what AgentCore refuses. Only the SDK can show that, so this test is not in the stand-in's package. */
const payload = Buffer.from("{}");
const session = "0f8fad5b-d9cb-469f-a165-70867728950e";

async function invoke({ aws }: TestAgentCore, input: object = {}, client: object = {}): Promise<string | undefined> {
  const { credentials, url: endpoint, runtimeArn: agentRuntimeArn } = aws;
  const sdk = new BedrockAgentCoreClient({ credentials, endpoint, region: "eu-central-1", maxAttempts: 1, ...client });
  const command = new InvokeAgentRuntimeCommand({ agentRuntimeArn, payload, runtimeSessionId: session, ...input });
  try {
    const { response, runtimeSessionId } = await sdk.send(command);
    await response?.transformToByteArray();
    return runtimeSessionId;
  } finally {
    sdk.destroy();
  }
}

describe("the stand-in for AgentCore", () => {
  test.each<[string, object, object, string]>([
    ["another region in the signature", {}, { region: "us-east-1" }, "InvalidSignatureException"],
    ["another key", {}, { credentials: { accessKeyId: "AKIDX", secretAccessKey: "x" } }, "UnrecognizedClientException"],
    ["a slow clock", {}, { systemClockOffset: -301_000 }, "InvalidSignatureException"],
    [
      "an ARN of another runtime",
      { agentRuntimeArn: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/other-0123456789" },
      {},
      "ResourceNotFoundException",
    ],
    ["an invalid ARN", { agentRuntimeArn: "crosszone" }, {}, "ValidationException"],
    ["an unknown endpoint", { qualifier: "prod" }, {}, "ResourceNotFoundException"],
    ["another account", { accountId: "210987654321" }, {}, "ValidationException"],
    ["a session id of 32 characters", { runtimeSessionId: "x".repeat(32) }, {}, "ValidationException"],
    ["a session id of 257 characters", { runtimeSessionId: "x".repeat(257) }, {}, "ValidationException"],
    ["a payload above the limit", { payload: Buffer.alloc(1_001) }, {}, "ValidationException"],
  ])("refuses %s", async (...[, input, client, name]) => {
    const zone = await startAgentCore({ standIn: { largestPayload: 1_000 } });
    await expect(invoke(zone, input, client)).rejects.toMatchObject({ name });
    expect(zone.received).toEqual([]);
    expect(await invoke(zone)).toBe(session);
  });

  test("passes only the headers to the container that AgentCore passes on and the runtime allows", async () => {
    const zone = await startAgentCore({ standIn: { allowedHeaders: ["X-Tenant"] } });
    const { credentials, url: endpoint, runtimeArn: agentRuntimeArn } = zone.aws;
    const sdk = new BedrockAgentCoreClient({ credentials, endpoint, region: "eu-central-1" });
    sdk.middlewareStack.add(
      (next) => (call) => {
        const { headers } = call.request as { headers: Record<string, string> };
        Object.assign(headers, { "x-tenant": "t", "x-correlation-id": "c", cookie: "a=b" });
        return next(call);
      },
      { step: "build" },
    );
    const command = new InvokeAgentRuntimeCommand({
      agentRuntimeArn,
      payload,
      runtimeSessionId: session,
      baggage: "a=b",
    });
    await sdk.send(command);
    sdk.destroy();
    const names = Object.keys(zone.received[0]?.headers ?? {});
    const own = ["host", "connection", "content-length"];
    expect(names.filter((name) => !own.includes(name)).toSorted()).toEqual([
      "baggage",
      "content-type",
      "x-amzn-bedrock-agentcore-runtime-request-id",
      "x-amzn-bedrock-agentcore-runtime-session-id",
      "x-tenant",
    ]);
    for (const header of ["Authorization", "X-Amz-Date", "x-amzn-request", "Cookie", "X-Forwarded-For"])
      await expect(startAgentCoreStandIn({ container: () => "", allowedHeaders: [header] })).rejects.toThrow(
        "does not accept",
      );
  });
});
