import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

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

/** A sent request, so that it can be sent again byte for byte. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The response to one request: its status (0 without a response), duration and text. */
export interface SendResult {
  status: number;
  ms: number;
  body: string;
}

/**
 * Sends one request outside event delivery, on its own connection. A response during the upload of the body counts: an app refuses too
 * large a body that way.
 */
export function sendOnce({ url, headers, body }: SentRequest, timeoutMs: number): Promise<SendResult> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  const end = (status: number, text: string): void =>
    resolve({ status, ms: Math.round(performance.now() - started), body: text });
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const call = request(url, {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    agent: false,
    timeout: timeoutMs,
  });
  call.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (text += chunk));
    response.on("close", () => {
      end(response.statusCode ?? 0, text);
      call.destroy();
    });
  });
  call.on("timeout", () => call.destroy(new Error("timeout")));
  call.on("error", () => end(0, ""));
  call.end(body);
  return promise;
}
