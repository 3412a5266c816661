import type { AgentClient } from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";
import { isLinkedFile } from "./answer-parts.ts";
import { mostFileBytesOfAnswer, mostFilesOfAnswer } from "./answer-with.ts";

/**
 * Fetches a file from an agent with the agent's credentials. Rejects when it can't be fetched or is larger than
 * `maxBytes`.
 */
export type FetchAgentFile = (request: {
  readonly agent: AgentRecord;
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}) => Promise<Uint8Array>;

/**
 * Creates a function that fetches files with the zone's client: only from allowed addresses, without following
 * redirects. `timeoutMs` is per file.
 */
export function createFetchAgentFile(client: AgentClient, timeoutMs: number): FetchAgentFile {
  return async (request) => {
    const { status, body } = await client.send({ ...request, accept: "*/*", timeoutMs });
    if (status !== 200) throw new Error(`the agent answered with HTTP ${status}`);
    return body;
  };
}

/** How the zone fetches files that agents link to. */
export interface AgentFiles {
  readonly fetchFile: FetchAgentFile;
  /** Largest file, bytes. */
  readonly maxBytes: number;
}

type LinkedFilesDeps = AgentFiles & { readonly agent: AgentRecord; readonly signal: AbortSignal };

/**
 * Returns an agent's output with the bytes of the files that it links to at its own origin. A file at another origin, a
 * file that can't be fetched and a file that is too large stay links. Without `deps`, all files stay links. Rejects
 * only with the signal's reason.
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
    if (!isLinkedFile(part)) return part;
    const { uri } = part.file;
    if (origin === undefined || URL.parse(uri)?.origin !== origin || left === 0 || room === 0) return part;
    left -= 1;
    try {
      const bytes = await fetchFile({ agent, url: uri, maxBytes: Math.min(maxBytes, room), signal });
      room -= bytes.byteLength;
      return { ...part, file: { ...part.file, bytes: Buffer.from(bytes).toString("base64") } };
    } catch {
      signal.throwIfAborted();
      return part;
    }
  }
}

/** Changes the items one after another, so that only one file is fetched at a time. */
async function inTurn(items: readonly unknown[], change: (item: unknown) => Promise<unknown>): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const item of items) changed.push(await change(item));
  return changed;
}
