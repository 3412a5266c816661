import { createSecureContext } from "node:tls";
import { openLiveFiles, type LiveFiles } from "@crosszone/service-kit";
import type { Credentials, ProofHeaders } from "./credentials.ts";

/** What this side of a TLS connection needs, PEM. */
export interface ClientTls {
  /** The only authorities that are trusted, instead of the public ones. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
}

export interface ClientTlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** Told when files that were replaced cannot be used; what was there before goes on. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads certificates and keys from files that may be replaced at any time. Throws when they are no good at the start. */
export function openClientTls({ passphrase, onFailure, ...files }: ClientTlsFiles): LiveFiles<ClientTls> {
  const named = Object.entries(files).filter(
    (entry): entry is [keyof typeof variables, string] => entry[1] !== undefined,
  );
  const parse = (texts: readonly string[]): ClientTls => {
    const tls: ClientTls = { ...Object.fromEntries(named.map(([name], index) => [name, texts[index]])), passphrase };
    // Throws unless certificate and key belong together: one of them may be new already and the other not yet.
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

const nothing: ProofHeaders = {};

/** The proof is the certificate that the connection was begun with, so no header is needed. */
export function createClientCertificate(tls: LiveFiles<ClientTls>): Credentials {
  return { headers: () => nothing, invalidate: () => tls.current() !== tls.reread() };
}
