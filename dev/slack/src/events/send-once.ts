import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { SentRequest } from "./http-transport.ts";

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
