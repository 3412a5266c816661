import { fetch as fetchByUndici, type RequestInit } from "undici";
import type { AddressRules } from "./address/address-rules.ts";
import { createConnections } from "./connections.ts";

export interface CheckedFetchOptions {
  readonly rules: AddressRules;
  /** Authorities beside those of Node itself, PEM. */
  readonly ca?: readonly string[] | undefined;
  /** How long a connection may take to be made, milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
}

export interface CheckedFetch {
  /** Rejects with an `AgentFailure` `address_refused`, or with a `TypeError` whose cause it is, for an address that the rules don't allow. */
  readonly fetch: typeof globalThis.fetch;
  /** Cuts every connection. */
  readonly close: () => Promise<void>;
}

/** `fetch` that connects only to addresses that the rules allow, whatever DNS answers meanwhile. */
export function createCheckedFetch({ rules, ca, connectTimeoutMs = 5_000 }: CheckedFetchOptions): CheckedFetch {
  const connections = createConnections({ rules, connectTimeoutMs, ca });
  const checked = async (address: string, init: RequestInit) => {
    const { url, reach } = rules.check(address);
    return fetchByUndici(url, { ...init, dispatcher: connections.of(reach, undefined) });
  };
  // undici's types of the same standard are others than those of Node.
  return { fetch: checked as unknown as typeof globalThis.fetch, close: () => connections.destroy() };
}
