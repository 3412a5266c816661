import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, answerJson } from "./answer.ts";
import type { Health } from "./health.ts";
import type { Metrics } from "./metrics.ts";

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
