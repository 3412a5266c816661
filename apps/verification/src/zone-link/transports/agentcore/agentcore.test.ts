import * as sdk from "@aws-sdk/client-bedrock-agentcore";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullJitterMs, readRefusal, refusalNames, retryRefused } from "./platform-refusals.ts";

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
    const { BedrockAgentCoreServiceException, ...others } = sdk;
    const names = Object.entries(others)
      .filter(([, value]) => typeof value === "function" && value.prototype instanceof BedrockAgentCoreServiceException)
      .map(([name]) => name);
    expect(names.toSorted()).toEqual([...refusalNames, ...ofOtherOperations].toSorted());
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
    await expect(retryRefused(call, { ...forever, signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
