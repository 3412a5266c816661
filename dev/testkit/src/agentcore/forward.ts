import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as send, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { refuse, sessionHeader } from "./invocation.ts";

/** Headers that always reach the container. `Authorization` never does under SigV4. */
const passed: ReadonlySet<string> = new Set([
  "content-type",
  "accept",
  sessionHeader,
  "x-amzn-bedrock-agentcore-runtime-user-id",
  "x-amzn-trace-id",
  "traceparent",
  "tracestate",
  "baggage",
]);

/** Whether a header may be named in a runtime's `requestHeaderAllowlist`. */
export function mayBeAllowed(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith("x-amzn-bedrock-agentcore-runtime-custom-")) return true;
  return !/^(authorization|cookie|host|link|via|x-forwarded-.*|x-amz-.*|x-amzn-.*)$/.test(lower);
}

/** The headers that the container gets. */
export function containerHeaders(
  headers: IncomingHttpHeaders,
  session: string,
  allowed: readonly string[],
): Record<string, string> {
  const names = [...passed, ...allowed.map((name) => name.toLowerCase())];
  const kept = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]));
  return {
    ...Object.fromEntries(kept),
    [sessionHeader]: session,
    "x-amzn-bedrock-agentcore-runtime-request-id": randomUUID(),
  };
}

export interface Forwarded {
  readonly container: string;
  readonly headers: Record<string, string>;
  readonly payload: Uint8Array;
  /** Ends the connection once the container has answered. */
  readonly lose: boolean;
}

/**
 * Hands an invocation to its container and its answer back, as a stream. A container that cannot be reached, or that answers
 * anything but 2xx, is 424. Whether the real AgentCore tells a container that the caller went away is not documented; this one does.
 */
export async function forward(
  { container, headers, payload, lose }: Forwarded,
  response: ServerResponse,
): Promise<number> {
  const outgoing = send(new URL("/invocations", container), {
    method: "POST",
    headers: { ...headers, "content-length": payload.byteLength },
  });
  const leave = (): void => void outgoing.destroy();
  response.once("close", leave);
  try {
    outgoing.end(payload);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 299) {
      answer.resume();
      return failed(response, `Received error (${statusCode}) from runtime. Please check your CloudWatch logs.`);
    }
    if (lose) {
      await buffer(answer);
      response.destroy();
      return 0;
    }
    response.writeHead(200, {
      ...(answer.headers["content-type"] !== undefined && { "content-type": answer.headers["content-type"] }),
      [sessionHeader]: headers[sessionHeader] ?? "",
      "x-amzn-requestid": randomUUID(),
    });
    await pipeline(answer, response);
    return 200;
  } catch {
    if (response.headersSent) response.destroy();
    else return failed(response, "The runtime could not be reached.");
    return 200;
  } finally {
    response.off("close", leave);
  }
}

function failed(response: ServerResponse, message: string): number {
  refuse(response, { status: 424, name: "RuntimeClientError", message });
  return 424;
}
