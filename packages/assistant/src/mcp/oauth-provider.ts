import { createPrivateKey, type KeyObject } from "node:crypto";
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from "@modelcontextprotocol/client";
import type { McpOAuth } from "./mcp-server.ts";
import { McpFailure } from "./mcp-failure.ts";

type Provider = ClientCredentialsProvider | PrivateKeyJwtProvider;

/** By the settings of a server, so that its connections share a token until its credentials are replaced. */
const providers = new WeakMap<McpOAuth, { readonly from: string; readonly provider: Provider }>();

/**
 * Returns the provider that gets tokens for a server from its issuer alone, and keeps them in memory. Rejects when the
 * credentials can't be read.
 */
export async function oauthProvider(settings: McpOAuth): Promise<Provider> {
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
