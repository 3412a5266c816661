import { SdkError, SdkErrorCode, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { boundedFetch, type FetchBounds } from "./bounded-fetch.ts";
import type { McpAddress, McpLimits, McpProgram, McpServer } from "./mcp-server.ts";
import { oauthProvider } from "./oauth-provider.ts";
import { createProgramTransport } from "./program-transport.ts";

/** A way to a server that carries one session. */
export interface McpLink {
  readonly transport: Transport;
  /** Returns the token in use. Data of the server must not show it. */
  readonly readToken: () => Promise<string | undefined>;
  /** Whether a failed connect means that the program ended because it doesn't know `server/discover`. */
  readonly endsAtProbe: (error: unknown) => boolean;
  /** Ends the session and everything that belongs to it. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Opens a link. Rejects when credentials can't be read. */
export async function openLink({ reach, callMs }: McpServer, { mostBytes, connectMs }: McpLimits): Promise<McpLink> {
  const bounds = { mostBytes, mostMs: Math.max(callMs, connectMs) };
  return "url" in reach ? openHttp(reach, bounds) : openProgram(reach, mostBytes);
}

async function openHttp({ url, fetch, readToken, oauth }: McpAddress, bounds: FetchBounds): Promise<McpLink> {
  const provider = oauth && (await oauthProvider(oauth));
  const token = await readToken?.();
  const authProvider = provider ?? (token === undefined ? undefined : { token: async () => token });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { redirect: "error" },
    fetch: boundedFetch(fetch, bounds),
    ...(authProvider && { authProvider }),
  });
  return {
    transport,
    readToken: async () => token ?? provider?.tokens()?.access_token,
    endsAtProbe: () => false,
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function openProgram(program: McpProgram, mostBytes: number): McpLink {
  const transport = createProgramTransport(program, mostBytes);
  return {
    transport,
    readToken: async () => undefined,
    endsAtProbe: (error) => error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed,
    close: () => transport.close(),
  };
}
