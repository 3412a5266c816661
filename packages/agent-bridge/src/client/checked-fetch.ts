import { fetch as fetchByUndici, type RequestInit } from "undici";
import type { AddressRules } from "./address/address-rules.ts";
import { createConnections } from "./connections.ts";

export interface CheckedFetchOptions {
  readonly rules: AddressRules;
  /** Certificate authorities besides Node's own, PEM. */
  readonly ca?: readonly string[] | undefined;
  /** Timeout of connecting, milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
}

export interface CheckedFetch {
  /**
   * Rejects with an `AgentFailure` `address_refused`, or with a `TypeError` caused by it, for an address that the rules
   * don't allow.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Closes every connection. */
  readonly close: () => Promise<void>;
}

/** Creates a `fetch` that connects only to addresses that the rules allow, even if DNS changes its answer. */
export function createCheckedFetch({ rules, ca, connectTimeoutMs = 5_000 }: CheckedFetchOptions): CheckedFetch {
  const connections = createConnections({ rules, connectTimeoutMs, ca });
  const checked = async (address: string, init: RequestInit) => {
    const { url, reach } = rules.check(address);
    return fetchByUndici(url, { ...init, dispatcher: connections.of(reach, undefined) });
  };
  // undici's types of `fetch` differ from Node's.
  return { fetch: checked as unknown as typeof globalThis.fetch, close: () => connections.destroy() };
}
