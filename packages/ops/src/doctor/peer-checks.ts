import { tracingVariables, tracesEndpoint, type TracingConfig } from "@crosszone/service-kit/tracing";
import { describeProbe, describeProbeError, type Peer } from "./describe-probe.ts";
import { type Probe, type ProbeResult, ProbeError, type ProbeOptions } from "./probe.ts";
import { type Check, failed, passed, skipped, warned } from "./checks.ts";

export interface ReachableCheck {
  readonly check: Check;
  /** The result for dependent checks; undefined until the check has passed. */
  readonly result: () => ProbeResult | undefined;
}

export interface ReachableOptions {
  /** Called when the check runs, because its variables may be invalid before. */
  readonly peer: () => Peer;
  readonly probe: Probe;
  /** Called when the check runs. */
  readonly tls?: () => ProbeOptions["tls"];
}

/** Checks that a peer can be reached: DNS, TCP, TLS, and any HTTP response. */
export function checkReachable(
  check: Omit<Check, "run">,
  { peer: peerOf, probe, tls }: ReachableOptions,
): ReachableCheck {
  let result: ProbeResult | undefined;
  return {
    result: () => result,
    check: {
      ...check,
      run: async () => {
        const peer = peerOf();
        const material = tls?.();
        try {
          result = await probe(peer.url, { timeoutMs: 10_000, ...(material && { tls: material }) });
          return describeProbe(result, peer);
        } catch (error) {
          if (error instanceof ProbeError) return describeProbeError(error, peer);
          throw error;
        }
      },
    },
  };
}

export interface ClockCheck {
  /** The server whose clock is compared with this machine's. */
  readonly peer: string;
  /** The result of the reachability check. */
  readonly result: () => ProbeResult | undefined;
  /** The effect of a wrong clock. */
  readonly consequence: string;
  /** From this difference on, requests fail; absent when nothing fails. */
  readonly limitSeconds?: number;
}

const worthAWordSeconds = 30;
const todo = "Synchronize the clock of this machine by NTP, and the peer's too if it is yours.";

/** Compares this machine's clock with the `Date` header of a peer's response. Accurate to about one second. */
export function checkClock(
  check: Omit<Check, "run">,
  { peer, result, consequence, limitSeconds = Infinity }: ClockCheck,
): Check {
  return {
    ...check,
    run: () => {
      const { http, sentAt = 0, receivedAt = 0 } = result() ?? {};
      if (http?.date === undefined) return skipped(`the response of ${peer} has no Date header`);
      const seconds = Math.round((http.date.getTime() + 500 - (sentAt + receivedAt) / 2) / 1_000);
      const distance = Math.abs(seconds);
      if (distance <= 1) return passed(`agrees with ${peer}`);
      const says = `this machine is ${distance} s ${seconds > 0 ? "behind" : "ahead of"} ${peer}`;
      if (distance >= limitSeconds) return failed(`${says}: ${consequence}`, todo);
      const limit = limitSeconds === Infinity ? "" : `, from ${limitSeconds} s on`;
      return distance >= worthAWordSeconds ? warned(`${says}; ${consequence}${limit}`, todo) : passed(says);
    },
  };
}

interface Traces {
  readonly config: Partial<TracingConfig>;
  readonly probe: Probe;
}

/** Checks that the trace collector can be reached. A zone works without it and drops its traces. */
export function checkTraces({ config, probe }: Traces): Check {
  const reads = Object.keys(tracingVariables);
  const variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const url = tracesEndpoint(config);
  const check = { name: "traces reachable", reads };
  if (url === undefined) return { ...check, run: () => skipped(`${variable} is not set: no traces are sent`) };
  return checkReachable(check, { peer: () => ({ url, variable, whenDown: "Start the collector" }), probe }).check;
}
