import type { AgentRecord } from "@crosszone/contracts";
import { isObject } from "./answer-parts.ts";
import { mostFileBytesOfAnswer, mostFilesOfAnswer } from "./answer-with.ts";

/** Fetches a file from an agent, with the agent's credentials. Rejects when there is none to be had, or it has more than `maxBytes`. */
export type FetchAgentFile = (request: {
  readonly agent: AgentRecord;
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}) => Promise<Uint8Array>;

export interface LinkedFilesDeps {
  readonly agent: AgentRecord;
  readonly fetchFile: FetchAgentFile;
  /** Largest file, bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the output of an agent with the bytes of those files that it links to at its own origin. A file elsewhere, or one that cannot be
 * fetched or is too large, stays a link, and so does every file without `deps`. Rejects only with the reason of the signal.
 */
export async function fetchLinkedFiles(output: unknown, deps: LinkedFilesDeps | undefined): Promise<unknown> {
  if (deps === undefined || !isObject(output)) return output;
  const { agent, fetchFile, maxBytes, signal } = deps;
  const origin = URL.parse(agent.url)?.origin;
  let [room, left] = [mostFileBytesOfAnswer, mostFilesOfAnswer];
  return {
    ...output,
    ...(Array.isArray(output["artifacts"]) && { artifacts: await inTurn(output["artifacts"], withParts) }),
    ...(isObject(output["message"]) && { message: await withParts(output["message"]) }),
  };

  async function withParts(holder: unknown): Promise<unknown> {
    if (!isObject(holder) || !Array.isArray(holder["parts"])) return holder;
    return { ...holder, parts: await inTurn(holder["parts"], fetched) };
  }

  async function fetched(part: unknown): Promise<unknown> {
    const file = isObject(part) && isObject(part["file"]) ? part["file"] : undefined;
    const uri = file?.["uri"];
    if (!isObject(part) || typeof uri !== "string" || file?.["bytes"] !== undefined) return part;
    if (origin === undefined || URL.parse(uri)?.origin !== origin || left === 0 || room === 0) return part;
    left -= 1;
    try {
      const bytes = await fetchFile({ agent, url: uri, maxBytes: Math.min(maxBytes, room), signal });
      room -= bytes.byteLength;
      return { ...part, file: { ...file, bytes: Buffer.from(bytes).toString("base64") } };
    } catch {
      signal.throwIfAborted();
      return part;
    }
  }
}

/** One after the other, so that no more than one file is on its way. */
async function inTurn(items: readonly unknown[], change: (item: unknown) => Promise<unknown>): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const item of items) changed.push(await change(item));
  return changed;
}
