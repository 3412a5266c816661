import { collectDefaultMetrics, Registry } from "prom-client";

export type MetricsRegistry = Registry;

export interface Metrics {
  /** Where this app's instruments are kept. Never the global registry of the library. */
  readonly registry: MetricsRegistry;
  /** The body of an answer to `GET /metrics`. */
  readonly render: () => Promise<RenderedMetrics>;
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** Makes a registry that already has the metrics of the process: CPU, memory, event loop delay, garbage collection. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
