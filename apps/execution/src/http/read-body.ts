import type { IncomingMessage } from "node:http";
import { gatherBytes } from "@crosszone/service-kit";

/** A body was too large, or its sender went away before the end. */
export type BodyFailure = "too_large" | "aborted";

/**
 * Reads a request's body into one buffer, never more than `maxBytes`. Our own instead of `express.json()`: that parses
 * before the protocol can answer, and costs about as much as the whole dispatch.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | BodyFailure> {
  return new Promise((resolve) => {
    // Its sender may have left while something else was waited for; no event would tell of it.
    if (request.destroyed) return resolve("aborted");
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resolve("too_large");
    const bytes = gatherBytes();
    request.on("data", (chunk: Buffer) => {
      if (bytes.add(chunk) <= maxBytes) return;
      request.pause();
      resolve("too_large");
    });
    request.on("end", () => resolve(bytes.whole()));
    // A sender that goes away is told of as an error only to who listens for errors, and closes the request in any case.
    request.on("close", () => resolve("aborted"));
  });
}
