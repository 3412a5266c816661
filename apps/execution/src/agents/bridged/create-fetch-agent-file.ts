import type { AgentClient } from "@crosszone/agent-bridge";
import type { FetchAgentFile } from "./fetch-linked-files.ts";

/** Fetches files with the client of the zone, to allowed addresses only and without following redirects. */
export function createFetchAgentFile(client: Pick<AgentClient, "fetchFile">, timeoutMs: number): FetchAgentFile {
  return async (request) => {
    const { status, body } = await client.fetchFile({ ...request, timeoutMs });
    if (status !== 200) throw new Error(`the agent answered with HTTP ${status}`);
    return body;
  };
}
