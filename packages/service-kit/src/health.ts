import { redact } from "./redact.ts";
import { TimeLimitError, within } from "./within.ts";

/**
 * Looks at one thing that the service needs. Returning nothing says that it is there; a returned sentence says why it is
 * not and is shown to whoever asks, so it holds nothing private. A thrown error also means not ready.
 * `signal` aborts when the time is over.
 */
export type HealthCheck = (signal: AbortSignal) => Promise<string | void> | string | void;

export interface CheckResult {
  readonly ok: boolean;
  readonly reason?: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

export interface Health {
  /** The process answers. Says nothing about what it depends on: a restart would not bring a database back. */
  readonly live: () => { readonly status: "ok" };
  /** Asks all checks at once. Never rejects. */
  readonly ready: () => Promise<Readiness>;
  /** A second check under the same name throws. */
  readonly addCheck: (name: string, check: HealthCheck, options?: { readonly timeoutMs?: number }) => void;
  /** From now on not ready, so that no new work is sent here while the running work ends. */
  readonly markStopping: () => void;
  /** Aborted by `markStopping`: for what would go on for as long as the service does. */
  readonly stopping: AbortSignal;
}

export interface HealthOptions {
  /** Time for a check that names none (default 1,000 ms). */
  readonly timeoutMs?: number;
  /** Gets what a check threw, for the log: an answer only has its code. */
  readonly onError?: (name: string, error: unknown) => void;
}

/** Keeps the readiness checks of a service. Many who ask at the same time share one run of a check. */
export function createHealth({ timeoutMs = 1_000, onError }: HealthOptions = {}): Health {
  const checks = new Map<string, () => Promise<CheckResult>>();
  const stop = new AbortController();
  const stopping = stop.signal;
  return {
    stopping,
    live: () => ({ status: "ok" }),
    ready: async () => {
      if (stopping.aborted)
        return { ready: false, checks: { stopping: { ok: false, reason: "the service is stopping" } } };
      const results = await Promise.all([...checks].map(async ([name, run]) => [name, await run()] as const));
      return { ready: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
    },
    addCheck: (name, check, options) => {
      if (checks.has(name)) throw new Error(`the health check ${name} exists already`);
      const limit = options?.timeoutMs ?? timeoutMs;
      checks.set(
        name,
        shared(() => runCheck(check, limit, (error) => onError?.(name, error))),
      );
    },
    markStopping: () => stop.abort(),
  };
}

function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Ends in time even when the check does not listen to its signal, and then starts afresh for the next who asks. */
async function runCheck(
  check: HealthCheck,
  timeoutMs: number,
  onError: (error: unknown) => void,
): Promise<CheckResult> {
  try {
    const reason = await within(timeoutMs, check);
    return typeof reason === "string" ? { ok: false, reason: shortText(reason) } : { ok: true };
  } catch (error) {
    await Promise.try(onError, error).catch(() => undefined);
    return { ok: false, reason: error instanceof TimeLimitError ? error.message : failureText(error) };
  }
}

function shortText(reason: string): string {
  return String(redact(reason, { text: 120 })).replaceAll(/\s+/g, " ");
}

/** A message may name hosts, users and queries; a code such as `ECONNREFUSED` says enough. */
function failureText(error: unknown): string {
  const code = (redact(error) as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? `failed (${code})` : "failed";
}
