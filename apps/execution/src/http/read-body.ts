import type { IncomingMessage } from "node:http";
import { gatherBytes } from "@crosszone/service-kit";

/** The body was too large, or the client disconnected before its end. */
export type BodyFailure = "too_large" | "aborted";

/**
 * Reads a request's body into one buffer of at most `maxBytes`. Used instead of `express.json()`, which parses before
 * the protocol can answer and costs about as much as the whole dispatch.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | BodyFailure> {
  return new Promise((resolve) => {
    // The client may have disconnected earlier; no event would report it now.
    if (request.destroyed) return resolve("aborted");
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resolve("too_large");
    const bytes = gatherBytes();
    request.on("data", (chunk: Buffer) => {
      if (bytes.add(chunk) <= maxBytes) return;
      request.pause();
      resolve("too_large");
    });
    request.on("end", () => resolve(bytes.whole()));
    // A disconnect is an `error` only for error listeners, but always closes the request.
    request.on("close", () => resolve("aborted"));
  });
}
