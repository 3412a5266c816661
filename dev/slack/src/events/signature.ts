import { createHmac } from "node:crypto";

/**
 * Returns the `X-Slack-Signature` of a request: HMAC-SHA256 over `v0:timestamp:body` with the signing secret. See
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function slackSignature(signingSecret: string, timestamp: number, body: string): string {
  return `v0=${createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}

/** Returns the headers of a request from Slack to an app, signed for this `timestamp` (Unix seconds). */
export function signedHeaders(signingSecret: string, timestamp: number, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "*/*",
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    "x-slack-request-timestamp": String(timestamp),
    "x-slack-signature": slackSignature(signingSecret, timestamp, body),
  };
}
