import type { AgentRecord } from "@crosszone/contracts";
import { type Dispatcher, fetch as fetchByUndici, type RequestInit } from "undici";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AddressRules } from "../addresses/address-rules.ts";
import { Connections } from "./connections.ts";
import { type Credentials, hideSecretsIn } from "./credentials/credentials.ts";
import { tooLarge } from "./read-body.ts";

/** How a client reaches an address of an agent. Throws an `AgentFailure` when it must not be called. */
export type ResolveAgent = (
  agent: AgentRecord,
  url: string,
) => Promise<{ readonly url: URL; readonly connect: () => Dispatcher; readonly credentials: Credentials }>;

/**
 * Returns a `fetch` for one agent: with its credentials, only at its origin, size-limited, without following redirects, and without our
 * secrets in the response. It rejects with an `AgentFailure` or undici's error.
 */
export function createAgentFetch(
  resolve: ResolveAgent,
  { agent, maxBytes }: { readonly agent: AgentRecord; readonly maxBytes: number },
): typeof globalThis.fetch {
  const { origin } = new URL(agent.url);
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== origin)
      throw new AgentFailure(
        "address_refused",
        `${request.url} was not called: the agent ${JSON.stringify(agent.name)} is registered at ${origin}.`,
      );
    const { url, connect, credentials } = await resolve(agent, request.url);
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(credentials.headers)) headers.set(name, value);
    const bytes = await request.arrayBuffer();
    const body = bytes.byteLength > 0 ? bytes : undefined;
    const sent = { method, headers: [...headers], body, signal, redirect: "manual", dispatcher: connect() } as const;
    // undici's types of `fetch` differ from Node's.
    const response = await fetchByUndici(url, sent as RequestInit);
    const shown = { status: response.status, statusText: response.statusText, headers: [...response.headers] };
    const { body: stream } = response;
    if (stream === null) return new Response(null, shown);
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
    const safe = withoutSecrets({ secrets: credentials.secrets, isStream, maxBytes, name: agent.name });
    return new Response((stream as unknown as ReadableStream<Uint8Array>).pipeThrough(safe), shown);
  };
}

const lineFeed = 0x0a;

interface SafeBody {
  readonly secrets: readonly string[];
  /** A stream is passed on line by line, any other body as a whole. */
  readonly isStream: boolean;
  readonly maxBytes: number;
  readonly name: string;
}

function withoutSecrets({ secrets, isStream, maxBytes, name }: SafeBody): TransformStream<Uint8Array, Uint8Array> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return new TransformStream({
    transform: (piece, controller) => {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(`The agent ${JSON.stringify(name)}`, maxBytes);
      const end = isStream ? piece.lastIndexOf(lineFeed) + 1 : 0;
      pieces.push(end === 0 ? piece : piece.subarray(0, end));
      if (end === 0) return;
      controller.enqueue(hideSecretsIn(Buffer.concat(pieces), secrets));
      pieces = [piece.subarray(end)];
    },
    flush: (controller) => {
      const rest = Buffer.concat(pieces);
      if (rest.length > 0) controller.enqueue(hideSecretsIn(rest, secrets));
    },
  });
}

/**
 * Creates a `fetch` that connects only to addresses that the rules allow, even if DNS changes its answer. For any other address it rejects
 * with an `AgentFailure` `address_refused`, or with a `TypeError` caused by it. `close` closes every connection.
 */
export function createCheckedFetch(rules: AddressRules) {
  const connections = new Connections({ rules });
  const checked = async (address: string, init: RequestInit) => {
    const { url, scope } = rules.check(address);
    return fetchByUndici(url, { ...init, dispatcher: connections.of(scope) });
  };
  // undici's types of `fetch` differ from Node's.
  return { fetch: checked as unknown as typeof globalThis.fetch, close: (): Promise<void> => connections.destroy() };
}
