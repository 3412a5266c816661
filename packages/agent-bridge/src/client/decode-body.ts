import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { AgentFailure } from "../agent-failure.ts";

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", promisify(gunzip) as Decompress],
  ["x-gzip", promisify(gunzip) as Decompress],
  ["deflate", promisify(inflate) as Decompress],
  ["br", promisify(brotliDecompress) as Decompress],
]);

/**
 * Decodes a body's content coding. The request asks for none, but some servers compress anyway. The result is never
 * larger than `maxBytes`, however small the body. Throws an `AgentFailure`.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
export async function decodeBody(
  body: Uint8Array,
  { coding, maxBytes, who }: { readonly coding: string | undefined; readonly maxBytes: number; readonly who: string },
): Promise<Uint8Array> {
  const name = coding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity" || body.length === 0) return body;
  const decompress = decompressors.get(name);
  if (decompress === undefined)
    throw new AgentFailure("not_json", `${who} sent its answer in an unsupported content coding. Send it without one.`);
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(who, maxBytes);
    throw new AgentFailure("not_json", `${who} sent an answer that is declared as ${name}, but isn't.`, { cause });
  }
}

export function tooLarge(who: string, maxBytes: number): AgentFailure {
  return new AgentFailure("response_too_large", `${who} sent an answer larger than ${maxBytes} bytes.`);
}
