import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** An error as AWS answers it. */
export interface AwsRefusal {
  readonly status: number;
  readonly name: string;
  readonly message: string;
}

/** The documented errors of `InvokeAgentRuntime`, and the name that each status has. */
export const refusalByStatus = {
  400: "ValidationException",
  402: "ServiceQuotaExceededException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  409: "RetryableConflictException",
  424: "RuntimeClientError",
  429: "ThrottlingException",
  500: "InternalServerException",
} as const;

/** Answers in the error shape of restJson1. https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization */
export function refuse(response: ServerResponse, { status, name, message }: AwsRefusal): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/com.amazonaws.bedrockagentcore/`,
    "x-amzn-requestid": randomUUID(),
  });
  response.end(JSON.stringify({ message }));
}
