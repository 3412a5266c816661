import { RpcError } from "./rpc-error.ts";
import type { Part } from "./types.ts";

/** Throws an `RpcError` for a part whose media type the agent doesn't accept. */
export function checkModes(parts: readonly Part[], modes: readonly string[]): void {
  for (const part of parts) {
    const type = mediaTypeOf(part);
    if (!modes.some((mode) => accepts(mode.toLowerCase(), type)))
      throw new RpcError(
        "CONTENT_TYPE_NOT_SUPPORTED",
        `This agent does not accept ${type.slice(0, 80)}. It accepts ${modes.join(", ")}.`,
      );
  }
}

function mediaTypeOf({ mediaType, text, data }: Part): string {
  if (mediaType !== undefined) return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
  if (text !== undefined) return "text/plain";
  return data === undefined ? "application/octet-stream" : "application/json";
}

const accepts = (mode: string, type: string): boolean =>
  mode === type || mode === "*/*" || (mode.endsWith("/*") && type.startsWith(mode.slice(0, -1)));
