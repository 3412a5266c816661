import { createPrivateKey, type KeyObject } from "node:crypto";
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { boundedFetch, type FetchBounds } from "./bounded-fetch.ts";
import { McpFailure } from "./mcp-failure.ts";
import type { McpAddress, McpLimits, McpOAuth, McpProgram, McpServer } from "./mcp-server.ts";
import { createProgramTransport } from "./program-transport.ts";

/** A way to a server that carries one session. */
export interface McpLink {
  readonly transport: Transport;
  /** Returns the token in use. Data of the server must not show it. */
  readonly readToken: () => Promise<string | undefined>;
  /** Whether the server has given the session an id. */
  readonly hasSession: () => boolean;
  /** How the server's program has ended by itself, for operators; undefined when it has not. */
  readonly ended: () => string | undefined;
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
    authProvider,
  });
  return {
    transport,
    readToken: async () => token ?? provider?.tokens()?.access_token,
    hasSession: () => transport.sessionId !== undefined,
    ended: () => undefined,
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
    hasSession: () => false,
    ended: () => transport.ended,
    close: () => transport.close(),
  };
}

type Provider = ClientCredentialsProvider | PrivateKeyJwtProvider;

/** By the settings of a server, so that its connections share a token until its credentials are replaced. */
const providers = new WeakMap<McpOAuth, { readonly from: string; readonly provider: Provider }>();

/**
 * Returns the provider that gets tokens for a server from its issuer alone, and keeps them in memory. Rejects when the
 * credentials can't be read.
 */
async function oauthProvider(settings: McpOAuth): Promise<Provider> {
  const { issuer, clientId, scopes, readCredentials } = settings;
  const credentials = await readCredentials();
  const from = JSON.stringify(credentials);
  const known = providers.get(settings);
  if (known?.from === from) return known.provider;
  const usual = { clientId, expectedIssuer: issuer, clientName: "crosszone", scope: scopes.join(" ") };
  const provider =
    "secret" in credentials
      ? new ClientCredentialsProvider({ ...usual, clientSecret: credentials.secret })
      : new PrivateKeyJwtProvider({ ...usual, ...signingWith(credentials.key) });
  providers.set(settings, { from, provider });
  return provider;
}

/** By the kind of a key, or its curve. */
const algorithms: ReadonlyMap<string | undefined, string> = new Map([
  ["rsa", "RS256"],
  ["ed25519", "EdDSA"],
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);

/** https://www.rfc-editor.org/rfc/rfc7518#section-3.1 */
function signingWith(pem: string): { readonly privateKey: string; readonly algorithm: string } {
  const key = readKey(pem);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm = algorithms.get(type === "ec" ? details?.namedCurve : type);
  if (algorithm === undefined) throw new McpFailure("its private_key can't sign: use RSA, EC or Ed25519");
  return { privateKey: key.export({ type: "pkcs8", format: "pem" }), algorithm };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new McpFailure("its private_key can't be read: write it as PEM");
  }
}
