import { createSecureContext } from "node:tls";
import { openLiveFiles, type LiveFiles } from "@crosszone/service-kit";
import type { Credentials, ProofHeaders } from "./credentials.ts";

/** The client's TLS settings, PEM. */
export interface ClientTls {
  /** The only trusted certificate authorities, instead of the public ones. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface ClientTlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
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

const nothing: ProofHeaders = {};

/** Authenticates by the connection's certificate, without headers. */
export function createClientCertificate(tls: LiveFiles<ClientTls>): Credentials {
  return { headers: () => nothing, invalidate: () => tls.current() !== tls.reread() };
}
