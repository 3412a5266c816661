import { createHash } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Agent, errors, type Dispatcher } from "undici";
import { AgentFailure } from "../agent-failure.ts";
import type { AddressRules, Reach } from "./address/address-rules.ts";
import { createCheckedLookup, type Resolve } from "./address/checked-lookup.ts";

/** Client certificate of one agent, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** The authority of the agent's own certificate, instead of the usual ones. */
  readonly ca?: string | undefined;
}

export interface ConnectionsOptions {
  readonly rules: AddressRules;
  /** Timeout of connecting, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[] | undefined;
  readonly resolve?: Resolve | undefined;
}

export interface Connections {
  /**
   * Returns the connections for a reach and a certificate. Use them at once: they may be closed later to make room for
   * others.
   */
  readonly of: (reach: Reach, certificate: ClientCertificate | undefined) => Dispatcher;
  /** Closes every connection. */
  readonly destroy: () => Promise<void>;
}

/** The most certificates with open connections. */
const most = 256;

/**
 * Creates the pool of connections to agents. Agents share connections only with the same reach and certificate, so a
 * connection never carries another agent's identity. A replaced certificate gets new connections.
 */
export function createConnections({ rules, connectTimeoutMs, ca, resolve }: ConnectionsOptions): Connections {
  const open = new Map<string, Agent>();
  let stopped = false;

  const connect = (reach: Reach, certificate: ClientCertificate | undefined): Agent => {
    const pick = rules.pick.bind(undefined, reach);
    return new Agent({
      // The whole call has its own timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: {
        timeout: connectTimeoutMs,
        lookup: createCheckedLookup({ pick, ...(resolve !== undefined && { resolve }) }),
        rejectUnauthorized: true,
        secureContext: secureContext(certificate, ca),
      },
    });
  };

  return {
    of: (reach, certificate) => {
      if (stopped) throw new errors.ClientClosedError();
      const key = keyOf(reach, certificate);
      const agent = open.get(key) ?? connect(reach, certificate);
      // The map is ordered by use.
      open.delete(key);
      open.set(key, agent);
      if (open.size > most) {
        const [oldest = key, unused] = open.entries().next().value ?? [];
        open.delete(oldest);
        void unused?.close();
      }
      return agent;
    },
    destroy: async () => {
      stopped = true;
      await Promise.all([...open.values()].map((agent) => agent.destroy()));
    },
  };
}

function keyOf(reach: Reach, certificate: ClientCertificate | undefined): string {
  if (certificate === undefined) return reach;
  const { cert, key, ca = "" } = certificate;
  return `${reach} ${createHash("sha256")
    .update(JSON.stringify([cert, key, ca]))
    .digest("base64")}`;
}

function secureContext(certificate: ClientCertificate | undefined, ca: readonly string[] | undefined): SecureContext {
  const own = certificate?.ca === undefined ? ca && [...getCACertificates(), ...ca] : [certificate.ca];
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      ...(certificate !== undefined && { cert: certificate.cert, key: certificate.key }),
      ...(own !== undefined && { ca: own }),
    });
  } catch (cause) {
    throw new AgentFailure(
      "secret_unavailable",
      "The agent's certificate and key can't be used together: check both files.",
      { cause },
    );
  }
}
