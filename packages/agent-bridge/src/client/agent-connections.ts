import { createHash } from "node:crypto";
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { openConnections, proxyEnv } from "@crosszone/service-kit/outgoing";
import { type Dispatcher, errors, fetch as fetchByUndici, type RequestInit } from "undici";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { AddressRules, AddressScope } from "./address-rules.ts";
import type { ClientCertificate } from "./credentials.ts";

export interface ConnectionsOptions {
  /** Which addresses may be called, including token endpoints. */
  readonly rules: AddressRules;
  /** Timeout of connecting, milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[];
  /** Resolves host names; the system's resolver when absent. */
  readonly resolve?: Resolve;
}

/** Maximum number of certificates with open connections. */
const most = 256;

/**
 * The pool of connections to agents. Agents share connections only with the same scope and certificate, so a
 * connection never carries another agent's identity. A replaced certificate gets new connections.
 */
export class AgentConnections {
  readonly #options: ConnectionsOptions;
  /** Ordered by use. */
  readonly #open = new Map<string, Dispatcher>();
  #isStopped = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Returns the connections for a scope and a certificate. Use them at once: they may be closed later to make room for
   * others.
   */
  of(scope: AddressScope, certificate?: ClientCertificate): Dispatcher {
    if (this.#isStopped) throw new errors.ClientClosedError();
    const key = keyOf(scope, certificate);
    const agent = this.#open.get(key) ?? this.#connect(scope, certificate);
    this.#open.delete(key);
    this.#open.set(key, agent);
    if (this.#open.size > most) {
      const [oldest = key, unused] = this.#open.entries().next().value ?? [];
      this.#open.delete(oldest);
      void unused?.close();
    }
    return agent;
  }

  async destroy(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#open.values()].map((agent) => agent.destroy()));
  }

  #connect(scope: AddressScope, certificate: ClientCertificate | undefined): Dispatcher {
    const { rules, connectTimeoutMs = 5_000, ca, resolve } = this.#options;
    const lookup = createCheckedLookup((hostname, addresses) => rules.pick(scope, hostname, addresses), resolve);
    const connections = openConnections({
      // The whole call has its own timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: {
        timeout: connectTimeoutMs,
        lookup,
        rejectUnauthorized: true,
        secureContext: secureContext(certificate, ca),
      },
    });
    return proxyEnv() === undefined ? connections : connections.compose(lookUpFirst(lookup));
  }
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

/** A proxy resolves the host itself. So it is looked up here too. A name that only the proxy can resolve is left to the proxy's rules. */
const lookUpFirst =
  (lookup: LookupFunction): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const { hostname } = new URL(options.origin ?? "");
    if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return dispatch(options, handler);
    lookup(hostname, { all: true }, (error) => {
      if (error instanceof AgentFailure) handler.onResponseError?.(null as never, error);
      else dispatch(options, handler);
    });
    return true;
  };

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Returns all addresses of a host, as `dns.lookup` does. */
export type Resolve = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void;

/** Returns the addresses of a host that may be connected to; throws when none may. */
type PickAddresses = (hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];

/**
 * Returns the lookup function of connections. It checks the addresses it returns, so a second DNS answer can't replace
 * them. The connection fails with the error of `pick`. Concurrent connections share one lookup per host, because a slow
 * lookup occupies a thread that file access also needs.
 */
function createCheckedLookup(pick: PickAddresses, resolve: Resolve = systemLookup): LookupFunction {
  const waiting = new Map<string, Found[]>();

  const findOnce = (hostname: string, family: LookupOptions["family"], found: Found): void => {
    const key = `${hostname} ${family}`;
    const others = waiting.get(key);
    if (others !== undefined) return void others.push(found);
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

/**
 * Creates a `fetch` that connects only to addresses that the rules allow, even if DNS changes its answer. For any other address it rejects
 * with an `AgentFailure` `address_refused`, or with a `TypeError` caused by it. `close` closes every connection.
 */
export function createCheckedFetch(rules: AddressRules) {
  const connections = new AgentConnections({ rules });
  const checked = async (address: string, init: RequestInit) => {
    const { url, scope } = rules.check(address);
    return fetchByUndici(url, { ...init, dispatcher: connections.of(scope) });
  };
  // undici's types of `fetch` differ from Node's.
  return { fetch: checked as unknown as typeof globalThis.fetch, close: (): Promise<void> => connections.destroy() };
}
