import { closeSync, openSync, readSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { metrics } from "@crosszone/telemetry";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { addGaugeAges, createGauge, type MetricsRegistry } from "./instruments.ts";

const quantiles = ["0.5", "0.99", "1"];

/** Adds the lengths of the event loop's turns, without the time that it waits, since the last scrape. Measures until the process ends. */
function measureTurns(registry: MetricsRegistry): void {
  const turns = monitorEventLoopDelay({ samplePerIteration: true });
  turns.enable();
  // The first sample also contains the wait before it.
  setTimeout(() => turns.reset(), 0).unref();
  createGauge(registry, "event_loop_turn_seconds", {
    labels: { quantile: quantiles },
    read: () => {
      const read = (quantile: string): number =>
        turns.count === 0 ? 0 : turns.percentile(Number(quantile) * 100) / 1e9;
      const readings = quantiles.map((quantile) => ({ labels: { quantile }, value: read(quantile) }));
      turns.reset();
      return readings;
    },
  });
}

/** Time between two looks at the accept queue, milliseconds. */
const everyMs = 1_000;

/**
 * Adds a gauge: the most connections that waited for `accept` since the last scrape. The returned function adds a port. The queue is sampled
 * once a second at the start of a turn, so it shows what arrived during the turn before. 0 except on Linux.
 */
function measureAcceptQueue(registry: MetricsRegistry): (port: number) => void {
  const ports = new Set<number>();
  let most = 0;
  const look = (): void => void (most = Math.max(most, waitingIn(readSockets(), ports)));
  createGauge(registry, "http_accept_queue_connections", () => {
    look();
    const read = most;
    most = 0;
    return read;
  });
  return (port) => {
    if (ports.size === 0 && process.platform === "linux") setInterval(look, everyMs).unref();
    ports.add(port);
  };
}

/** Listening sockets come first in these files, so their beginning is enough. The kernel writes only what is read. */
const mostBytes = 16_384;

/** Returns the TCP sockets of this network namespace, as text. https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html */
function readSockets(): string {
  const buffer = Buffer.alloc(mostBytes);
  const read = (path: string): string => {
    try {
      const file = openSync(path, "r");
      try {
        return buffer.toString("latin1", 0, readSync(file, buffer));
      } finally {
        closeSync(file);
      }
    } catch {
      return "";
    }
  };
  return process.platform === "linux" ? `${read("/proc/net/tcp")}\n${read("/proc/net/tcp6")}` : "";
}

/** Address and port, remote address, the state `LISTEN`, and the queues to send and to receive: here, to accept. */
const listening = /: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:0000 0A [0-9A-F]{8}:([0-9A-F]{8})/g;

/** Returns how many connections wait in the accept queues of these ports. */
export function waitingIn(sockets: string, ports: ReadonlySet<number>): number {
  let waiting = 0;
  for (const [, port = "", queue = ""] of sockets.matchAll(listening))
    if (ports.has(Number.parseInt(port, 16))) waiting += Number.parseInt(queue, 16);
  return waiting;
}

/** The running build, for `crosszone_build_info`. */
export interface Build {
  readonly zone: string;
  readonly version: string;
}

/** Sums of gauges by type. Their names end like those of counters. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

export interface Metrics {
  /** The registry of this app's instruments, never the library's global one. */
  readonly registry: Registry;
  /** Adds a port to those whose waiting connections are measured. */
  readonly listensOn: (port: number) => void;
  readonly render: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Creates a registry with the metrics of the process and its build. `ofProcess`: whether to add CPU, memory, event loop delay and garbage
 * collection, which are observed until the process ends.
 */
export function createMetrics(build?: Build, { ofProcess = true }: { readonly ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
    measureTurns(registry);
  }
  addGaugeAges(registry);
  if (build !== undefined) addBuildInfo(registry, build);
  return {
    registry,
    listensOn: ofProcess ? measureAcceptQueue(registry) : () => undefined,
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** https://www.robustperception.io/exposing-the-software-version-to-prometheus/ */
function addBuildInfo(registry: Registry, { zone, version }: Build): void {
  const name = "crosszone_build_info";
  const labelNames = ["zone", "version"];
  new Gauge({ name, help: metrics[name].help, labelNames, registers: [registry] }).set({ zone, version }, 1);
}
