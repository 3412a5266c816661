import { RpcError } from "../a2a/rpc-error.ts";
import type { CallerRequest } from "../agent-options.ts";

/** An HTTP request: that of `fetch`, or one of `node:http`. */
export interface HttpRequest extends CallerRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Reads the body of a POST of JSON. Throws an `RpcError` with HTTP 413 or 415. */
export async function readBody({ headers, body }: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  const type = (headers.get("content-type")?.split(";")[0] ?? "").trim().toLowerCase();
  if (type !== "application/json" && type !== "application/a2a+json")
    throw new RpcError("INVALID_REQUEST", "Invalid request: the Content-Type must be application/json", {
      status: 415,
    });
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number): RpcError =>
  new RpcError("INVALID_REQUEST", `Invalid request: the body is larger than ${maxBytes} bytes`, {
    status: 413,
    headers: { connection: "close" },
  });
