import { createHash } from "node:crypto";
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Agent, type Dispatcher, errors } from "undici";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { ClientCertificate } from "./credentials/credentials.ts";
import type { AddressRules, AddressScope } from "../addresses/address-rules.ts";

export interface ConnectionsOptions {
  readonly rules: AddressRules;
  /** Timeout of connecting, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[];
  readonly resolve?: Resolve;
}

export interface Connections {
  /**
   * Returns the connections for a scope and a certificate. Use them at once: they may be closed later to make room for
   * others.
   */
  readonly of: (scope: AddressScope, certificate: ClientCertificate | undefined) => Dispatcher;
  /** Closes every connection. */
  readonly destroy: () => Promise<void>;
}

/** Maximum number of certificates with open connections. */
const most = 256;

/**
 * Creates the pool of connections to agents. Agents share connections only with the same scope and certificate, so a
 * connection never carries another agent's identity. A replaced certificate gets new connections.
 */
export function createConnections({ rules, connectTimeoutMs, ca, resolve }: ConnectionsOptions): Connections {
  const open = new Map<string, Agent>();
  let stopped = false;

  const connect = (scope: AddressScope, certificate: ClientCertificate | undefined): Agent => {
    const pick = rules.pick.bind(undefined, scope);
    return new Agent({
      // The whole call has its own timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: {
        timeout: connectTimeoutMs,
        lookup: createCheckedLookup({ pick, resolve }),
        rejectUnauthorized: true,
        secureContext: secureContext(certificate, ca),
      },
    });
  };

  return {
    of: (scope, certificate) => {
      if (stopped) throw new errors.ClientClosedError();
      const key = keyOf(scope, certificate);
      const agent = open.get(key) ?? connect(scope, certificate);
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

function keyOf(scope: AddressScope, certificate: ClientCertificate | undefined): string {
  if (certificate === undefined) return scope;
  const { cert, key, ca = "" } = certificate;
  return `${scope} ${createHash("sha256")
    .update(JSON.stringify([cert, key, ca]))
    .digest("base64")}`;
}

function secureContext(certificate: ClientCertificate | undefined, ca: readonly string[] | undefined): SecureContext {
  const own = certificate?.ca === undefined ? ca && [...getCACertificates(), ...ca] : [certificate.ca];
  try {
    return createSecureContext({ minVersion: "TLSv1.2", cert: certificate?.cert, key: certificate?.key, ca: own });
  } catch (cause) {
    throw new AgentFailure(
      "secret_unavailable",
      "The agent's certificate and key can't be used together: check both files.",
      { cause },
    );
  }
}

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Returns all addresses of a host, as `dns.lookup` does. */
export type Resolve = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void;

interface CheckedLookupOptions {
  /** Returns the addresses that may be connected to; throws when none may. */
  readonly pick: (hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];
  readonly resolve?: Resolve;
}

/**
 * Returns the lookup function of connections. It checks the addresses it returns, so a second DNS answer can't replace
 * them. The connection fails with the error of `pick`. Concurrent connections share one lookup per host, because a slow
 * lookup occupies a thread that file access also needs.
 */
function createCheckedLookup({ pick, resolve = systemLookup }: CheckedLookupOptions): LookupFunction {
  const waiting = new Map<string, Found[]>();

  const findOnce = (hostname: string, family: LookupOptions["family"], found: Found): void => {
    const key = `${hostname} ${family}`;
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(found);
      return;
    }
    const all = [found];
    waiting.set(key, all);
    resolve(hostname, { family, all: true }, (error, addresses) => {
      waiting.delete(key);
      for (const each of all) each(error, addresses);
    });
  };

  return (hostname, { all, family }, callback) => {
    findOnce(hostname, family, (error, addresses) => {
      if (error !== null) return callback(error, []);
      try {
        const picked = pick(hostname, addresses);
        if (all === true) callback(null, picked);
        else callback(null, picked[0]?.address ?? "", picked[0]?.family);
      } catch (refusal) {
        callback(refusal as Error, []);
      }
    });
  };
}
