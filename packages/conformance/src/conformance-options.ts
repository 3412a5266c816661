import type { ConformanceCheck, ConformanceReport } from "@crosszone/contracts";

/** The protocols that can be checked. `jsonrpc-2.0` is A2A 0.3. */
export type ConformanceProtocol = "a2a-1.0" | "jsonrpc-2.0" | "simple-a2a";

/** What to check, and its URL. */
export interface ConformanceOptions {
  /** Base URL of the agent, as it is registered. */
  readonly url: string;
  /** The protocols to check. Default: those that the agent card offers, otherwise those that the agent answers. */
  readonly protocols?: readonly ConformanceProtocol[];
  /** Sends every request. It adds credentials, and rejects addresses that may not be called. */
  readonly fetch: typeof globalThis.fetch;
  /** Questions with which the agent shows optional behavior. Checks that need a missing one are skipped. */
  readonly questions?: {
    /** A question that is answered (default "Hello"). */
    readonly answered?: string;
    /** A question whose answer takes at least two seconds. */
    readonly slow?: string;
    /** A question that the agent answers with a question of its own. */
    readonly asksBack?: string;
    /** A question that is answered with a file. */
    readonly file?: string;
    /** A question that fails. */
    readonly fails?: string;
  };
  /** Time limit of the whole run, milliseconds (default 30,000). Checks that do not finish in it are skipped. */
  readonly timeoutMs?: number;
  /** Called after each check. */
  readonly onCheck?: (check: ConformanceCheck) => void;
  readonly signal?: AbortSignal;
}

/** Checks an agent. Rejects only with the signal's reason. */
export type CheckConformance = (options: ConformanceOptions) => Promise<ConformanceReport>;
