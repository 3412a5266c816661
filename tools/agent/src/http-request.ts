import { createHash, timingSafeEqual } from "node:crypto";
import { refusedRequest, RpcError } from "@crosszone/a2a";
import type { AgentOptions, CallerRequest } from "./agent-definition.ts";

/** An HTTP request: that of `fetch`, or one of `node:http`. */
export interface KitRequest extends CallerRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Reads the body of a POST of JSON. Throws an `RpcError` with HTTP 413 or 415. */
export async function readPostBody({ headers, body }: KitRequest, maxBytes: number): Promise<Uint8Array> {
  const type = (headers.get("content-type")?.split(";")[0] ?? "").trim().toLowerCase();
  if (type !== "application/json" && type !== "application/a2a+json")
    throw refusedRequest(415, "the Content-Type must be application/json");
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
  refusedRequest(413, `the body is larger than ${maxBytes} bytes`, { connection: "close" });

/** What identifies a caller: their name for the handler, and the owner of their tasks. */
type Authenticate = (request: CallerRequest) => Promise<string>;

/** Returns a function that names the caller of a request. It throws an `RpcError` with HTTP 401 for one that is not allowed. */
export function createAuthentication({ token, authenticate }: AgentOptions): Authenticate {
  const check = authenticate ?? (token === undefined ? () => "" : checkTokens([token].flat()));
  return async (request) => {
    const caller = await check(request);
    if (typeof caller === "string") return caller;
    throw new RpcError("UNAVAILABLE", "Unauthorized. Send the header Authorization: Bearer with a valid token.", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      named: "UNAUTHORIZED",
    });
  };
}

/** Compares hashes with all tokens, so that the time says nothing about them. The caller's name is part of the hash. */
function checkTokens(tokens: readonly string[]): (request: CallerRequest) => string | undefined {
  if (tokens.length === 0 || tokens.some((each) => typeof each !== "string" || each === ""))
    throw new TypeError("Expected token to be a string, or a list of strings, that are not empty.");
  const expected = tokens.map(hash);
  return ({ headers }) => {
    const [, sent = ""] = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
    const actual = hash(sent);
    const equal = expected.map((each) => timingSafeEqual(each, actual));
    return equal.includes(true) ? actual.toString("base64url").slice(0, 16) : undefined;
  };
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
