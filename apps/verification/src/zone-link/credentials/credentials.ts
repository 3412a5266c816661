import { randomBytes } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type LiveFiles, openLiveFiles, signatureHeaders, signRequest } from "@crosszone/service-kit";

/** Authenticates requests to execution. */
export interface Credentials {
  /** Returns the authentication headers; a promise only if a token must be fetched. Rejects if none is available. */
  headers(request: {
    readonly method: string;
    /** Path and query, as in the request line. */
    readonly target: string;
    readonly body: Uint8Array;
  }): ProofHeaders | Promise<ProofHeaders>;
  /**
   * Called after a 401 to a request with these headers; discards outdated proof. Returns true if the next proof can differ, so that the
   * request is worth one retry.
   */
  invalidate(refused: ProofHeaders): boolean;
}

export type ProofHeaders = Readonly<Record<string, string>>;

/** Returns the header of a bearer token. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export function bearerHeaders(token: string): ProofHeaders {
  return { authorization: `Bearer ${token}` };
}

interface HmacSignerOptions {
  readonly secret: LiveFiles<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Signs each request with its body: see `canonicalRequest` of service-kit. Every request gets its own nonce. */
export function createHmacSigner({ secret, now }: HmacSignerOptions): Credentials {
  return {
    headers: ({ method, target, body }) => {
      const timestamp = String(Math.floor(now() / 1_000));
      const nonce = randomBytes(16).toString("base64url");
      const signature = signRequest(secret.current(), { method, target, timestamp, nonce, body });
      return {
        [signatureHeaders.timestamp]: timestamp,
        [signatureHeaders.nonce]: nonce,
        [signatureHeaders.signature]: signature,
      };
    },
    invalidate: () => secret.current() !== secret.reread(),
  };
}

const nothing: ProofHeaders = {};

/** Sends no credentials, for an execution zone on this machine. */
export function createNoCredentials(): Credentials {
  return { headers: () => nothing, invalidate: () => false };
}

/** Sends a bearer token that both zones share. */
export function createStaticBearer(token: LiveFiles<string>): Credentials {
  return {
    headers: () => bearerHeaders(token.current()),
    invalidate: (refused) => bearerHeaders(token.reread())["authorization"] !== refused["authorization"],
  };
}

/** The client's TLS settings, PEM. */
export interface ClientTls {
  /** The only trusted certificate authorities, instead of the public ones. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The same members, each the path of its file. */
interface ClientTlsFiles extends ClientTls {
  /** Called if replaced files are invalid; the previous ones stay in use. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads certificates and keys from files that can be replaced at any time. Throws if they are invalid at the start. */
export function openClientTls({ onFailure, ...files }: ClientTlsFiles): LiveFiles<ClientTls> {
  const named = Object.entries(files).filter(
    (entry): entry is [keyof typeof variables, string] => entry[1] !== undefined,
  );
  const parse = (texts: readonly string[]): ClientTls => {
    const tls: ClientTls = Object.fromEntries(named.map(([name], index) => [name, texts[index]]));
    // Throws unless certificate and key match: during a replacement, only one may be new.
    createSecureContext(tls);
    return tls;
  };
  return openLiveFiles({
    paths: Object.fromEntries(named.map(([name, path]) => [variables[name], path])),
    parse,
    onFailure,
  });
}

const variables = {
  ca: "EXECUTION_CA_FILE",
  cert: "EXECUTION_CLIENT_CERT_FILE",
  key: "EXECUTION_CLIENT_KEY_FILE",
};

/** Authenticates by the connection's certificate, without headers. */
export function createClientCertificate(tls: LiveFiles<ClientTls>): Credentials {
  return { headers: () => nothing, invalidate: () => tls.current() !== tls.reread() };
}
