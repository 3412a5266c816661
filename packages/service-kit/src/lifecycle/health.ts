import { get as getHttp, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { get as getHttps } from "node:https";
import { text } from "node:stream/consumers";
import { answer, answerJson } from "../http/answer.ts";
import { redact } from "../logging/redact.ts";
import type { Metrics } from "../metrics/registry.ts";
import { sharedRun, TimeLimitError, withTimeout } from "../values/timing.ts";

/**
 * Checks one dependency of the service. Returns nothing if it is available, otherwise a public sentence with the reason, which must contain
 * nothing private. A thrown error also means not ready. `signal` aborts at the timeout.
 */
type HealthCheck = (signal: AbortSignal) => Promise<string | void> | string | void;

interface CheckResult {
  readonly ok: boolean;
  /** Why it failed, or what operators should know. */
  readonly reason?: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Creates the readiness checks of a service. Concurrent requests share one run of a check. */
export function createHealth() {
  const checks = new Map<string, () => Promise<CheckResult>>();
  const notes = new Map<string, () => string | undefined>();
  const liveChecks: (() => string | undefined)[] = [];
  const stop = new AbortController();
  return {
    /** Aborted by `markStopping`; ends endless work. */
    get stopping(): AbortSignal {
      return stop.signal;
    },
    /** The process responds, and nothing is known that a restart would fix. Does not check dependencies: a restart would not bring a database back. */
    live: (): { readonly status: "ok" | "failing"; readonly reason?: string } => {
      const reason = liveChecks.map((check) => check()).find((found) => found !== undefined);
      return reason === undefined ? { status: "ok" } : { status: "failing", reason: shortText(reason) };
    },
    /** Adds a check of something that only a restart may fix. It returns a public sentence with the reason. */
    addLiveCheck: (check: () => string | undefined): void => void liveChecks.push(check),
    /** Runs all checks concurrently. Never rejects. */
    ready: async (): Promise<Readiness> => {
      if (stop.signal.aborted)
        return { ready: false, checks: { stopping: { ok: false, reason: "the service is stopping" } } };
      const results = await Promise.all([...checks].map(async ([name, run]) => [name, await run()] as const));
      for (const [name, note] of notes) {
        const reason = note();
        if (reason !== undefined) results.push([name, { ok: true, reason: shortText(reason) }]);
      }
      return { ready: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
    },
    /** Throws for a name that is already used. */
    addCheck: (name: string, check: HealthCheck, { timeoutMs = 1_000 }: { readonly timeoutMs?: number } = {}): void => {
      if (checks.has(name)) throw new Error(`the health check ${name} already exists`);
      checks.set(
        name,
        sharedRun(() => runCheck(check, timeoutMs)),
      );
    },
    /** Adds what operators should know although the service works: `/readyz` says it while there is a sentence. */
    addNote: (name: string, note: () => string | undefined): void => void notes.set(name, note),
    /** From now on not ready, so that no new requests are routed here while the running ones end. */
    markStopping: (): void => stop.abort(),
  };
}

export type Health = ReturnType<typeof createHealth>;

/** Resolves in time even if the check ignores its signal. The next request runs the check again. */
async function runCheck(check: HealthCheck, timeoutMs: number): Promise<CheckResult> {
  try {
    const reason = await withTimeout(timeoutMs, check);
    return typeof reason === "string" ? { ok: false, reason: shortText(reason) } : { ok: true };
  } catch (error) {
    const isSilent = error instanceof TimeLimitError;
    return { ok: false, reason: isSilent ? `no answer within ${timeoutMs / 1_000} s` : failureText(error) };
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

type OperationalRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Returns the operational routes, for GET: `/healthz` (the process responds, 503 if a restart may help), `/readyz` (200 when it can work, otherwise 503 with the
 * reasons), `/metrics` (Prometheus).
 */
export function createOperationalRoutes({
  health,
  metrics,
}: {
  readonly health: Health;
  readonly metrics: Metrics;
}): ReadonlyMap<string, OperationalRoute> {
  return new Map<string, OperationalRoute>([
    [
      "/healthz",
      async (_request, response) => {
        const state = health.live();
        answerJson(response, state.status === "ok" ? 200 : 503, JSON.stringify(state));
      },
    ],
    [
      "/readyz",
      async (_request, response) => {
        const state = await health.ready();
        answerJson(response, state.ready ? 200 : 503, JSON.stringify(state));
      },
    ],
    ["/metrics", async (_request, response) => answer(response, 200, await metrics.render())],
  ]);
}

/** Makes the listener of a process that can't work yet: the operational routes, and 503 for everything else. */
export function createWaitingListener(served: { readonly health: Health; readonly metrics: Metrics }): RequestListener {
  const routes = createOperationalRoutes(served);
  const body = JSON.stringify({
    error: { message: "The zone is not ready: /readyz says why. Send the request again later." },
  });
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route = request.method === "GET" ? routes.get(path) : undefined;
    if (route) void route(request, response);
    else
      answer(response, 503, {
        contentType: "application/json",
        body,
        headers: ["retry-after", "5", "connection", "close"],
      });
  };
}

/** Where a zone of this machine listens. */
export interface ListeningAddress {
  /** `0.0.0.0` and `::` are probed on loopback. */
  readonly host: string;
  readonly port: number;
  readonly usesTls: boolean;
  readonly timeoutMs?: number;
}

/**
 * Resolves with what the zone of this machine answers at an operational route; undefined without an answer in time. Does not verify the certificate: the
 * request carries nothing and stays on this machine, and the certificate names the host that callers use.
 */
function askZone(path: string, { host, port, usesTls, timeoutMs = 3_000 }: ListeningAddress) {
  const { promise, resolve } = Promise.withResolvers<{ readonly status: number; readonly body: string } | undefined>();
  const anyAddress: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const options = { host: anyAddress[host] ?? host, port, path, signal: AbortSignal.timeout(timeoutMs) };
  const request = (usesTls ? getHttps : getHttp)({ ...options, rejectUnauthorized: false }, (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, body }),
      () => resolve(undefined),
    );
  });
  request.on("error", () => resolve(undefined));
  return promise;
}

/** Resolves with true if the zone of this machine answers `/healthz` with 200 in time. Never rejects. */
export const isAlive = async (address: ListeningAddress): Promise<boolean> =>
  (await askZone("/healthz", address))?.status === 200;

/** Resolves with what the zone of this machine answers at `/readyz`; undefined if none runs there. Never rejects. */
export async function readReadiness(address: ListeningAddress): Promise<Readiness | undefined> {
  const answered = await askZone("/readyz", address);
  try {
    const found = JSON.parse(answered?.body ?? "null") as Partial<Readiness> | null;
    return found?.checks === undefined || found.ready === undefined ? undefined : (found as Readiness);
  } catch {
    return undefined;
  }
}
