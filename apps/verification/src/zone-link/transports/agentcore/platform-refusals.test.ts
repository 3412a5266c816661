import * as sdk from "@aws-sdk/client-bedrock-agentcore";
import { expect, test } from "vitest";
import { readRefusal, refusalNames } from "./platform-refusals.ts";

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
