import { get as getHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { get as getHttps } from "node:https";
import { answer, answerJson } from "../http/answer.ts";
import type { Health } from "./health.ts";
import type { Metrics } from "../metrics/registry.ts";

export type OperationalRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Returns the operational routes, for GET: `/healthz` (the process responds), `/readyz` (200 when it can work, otherwise 503 with the
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
    ["/healthz", async (_request, response) => answerJson(response, 200, JSON.stringify(health.live()))],
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

/** The address of a zone on this machine. */
export interface AliveOptions {
  /** The address that the zone listens on; `0.0.0.0` and `::` are probed on loopback. */
  readonly host: string;
  readonly port: number;
  readonly usesTls: boolean;
  /** Milliseconds until the zone counts as dead. Default 3,000. */
  readonly timeoutMs?: number;
}

/**
 * Resolves with true if the zone answers `/healthz` with 200. Never rejects. Does not verify the certificate: the request carries nothing and stays on
 * this machine, and the certificate names the host that callers use.
 */
export function isAlive({ host, port, usesTls, timeoutMs = 3_000 }: AliveOptions): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const anyAddress: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const request = (usesTls ? getHttps : getHttp)(
    {
      host: anyAddress[host] ?? host,
      port,
      path: "/healthz",
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(timeoutMs),
    },
    (response) => {
      resolve(response.statusCode === 200);
      response.destroy();
    },
  );
  request.on("error", () => resolve(false));
  return promise;
}
