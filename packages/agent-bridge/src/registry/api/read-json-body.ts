import type { IncomingMessage } from "node:http";
import { readAtMost } from "@crosszone/service-kit";
import { RegistryProblem } from "./registry-problem.ts";

export interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** Media types that are read. */
  readonly types: readonly string[];
  /** The header in which a 415 names those. */
  readonly acceptHeader: "accept-post" | "accept-patch";
}

/** Reads a body of JSON in UTF-8. Throws a `RegistryProblem` for any other. */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBytes, types, acceptHeader }: BodyRules,
): Promise<unknown> {
  if (!isReadable(request, types)) {
    const message = `Send ${types.join(" or ")} in UTF-8, not compressed.`;
    throw new RegistryProblem("content_type", message, { headers: { [acceptHeader]: types.join(", ") } });
  }
  const tooLarge = new RegistryProblem("too_large", `Send ${maxBytes} bytes at the most.`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  // The answer still goes over the connection of what is not read to its end.
  const bytes = await readAtMost(request.iterator({ destroyOnReturn: false }), maxBytes);
  if (bytes === "too_large") throw tooLarge;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RegistryProblem("malformed_request", "The body is not JSON in UTF-8.");
  }
}

function isReadable({ headers }: IncomingMessage, types: readonly string[]): boolean {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return (
    types.includes(type.trim()) &&
    parameters.every((parameter) => /^\s*charset="?utf-8"?\s*$/.test(parameter)) &&
    (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  );
}
