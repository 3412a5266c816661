import { redact } from "../logging/redact.ts";
import { TimeLimitError, withTimeout } from "../timing/timing.ts";

/**
 * Checks one dependency of the service. Returns nothing if it is available, otherwise a public sentence with the reason, which must contain
 * nothing private. A thrown error also means not ready. `signal` aborts at the timeout.
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
  /** The process responds. Does not check dependencies: a restart would not bring a database back. */
  readonly live: () => { readonly status: "ok" };
  /** Runs all checks concurrently. Never rejects. */
  readonly ready: () => Promise<Readiness>;
  /** `timeoutMs` is 1,000 if absent. Throws for a name that is already used. */
  readonly addCheck: (name: string, check: HealthCheck, options?: { readonly timeoutMs?: number }) => void;
  /** From now on not ready, so that no new requests are routed here while the running ones end. */
  readonly markStopping: () => void;
  /** Aborted by `markStopping`; ends endless work. */
  readonly stopping: AbortSignal;
}

/** Creates the readiness checks of a service. Concurrent requests share one run of a check. */
export function createHealth(): Health {
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
    addCheck: (name, check, { timeoutMs = 1_000 } = {}) => {
      if (checks.has(name)) throw new Error(`the health check ${name} already exists`);
      const run = shared(() => runCheck(check, timeoutMs));
      checks.set(name, run);
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

/** Resolves in time even if the check ignores its signal. The next request runs the check again. */
async function runCheck(check: HealthCheck, timeoutMs: number): Promise<CheckResult> {
  try {
    const reason = await withTimeout(timeoutMs, check);
    return typeof reason === "string" ? { ok: false, reason: shortText(reason) } : { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof TimeLimitError ? error.message : failureText(error) };
  }
}

function shortText(reason: string): string {
  return String(redact(reason, { text: 120 })).replaceAll(/\s+/g, " ");
}

/** Only the code, such as `ECONNREFUSED`: a message can name hosts, users and queries. */
function failureText(error: unknown): string {
  const code = (redact(error) as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? `failed (${code})` : "failed";
}
