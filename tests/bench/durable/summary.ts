import { median } from "../statistics.ts";
import type { DurableSample } from "./measure-peer.ts";
import { modes, peerNames, type Mode, type PeerName } from "./peers.ts";
import { points, type Point } from "./plan.ts";

const figures = ["requestsPerSecond", "cpuUs", "p50Us", "p99Us"] as const;

/** The medians over all rounds of one server at one point. */
export type DurableRow = Readonly<Record<(typeof figures)[number], number>> & {
  readonly peer: PeerName;
  readonly toNoStore: number | undefined;
  readonly toSingle: number | undefined;
};

export type Table = Point & { readonly mode: Mode; readonly rows: readonly DurableRow[] };

/** The same server with a commit a write. */
const singles: Partial<Record<PeerName, PeerName>> = { sqlite: "sqlite-single", postgres: "postgres-single" };

/** One table for each mode and point. What was not measured is not there. */
export function summariseDurable(samples: readonly DurableSample[]): Table[] {
  return modes.flatMap((mode) =>
    points.map(({ size, connections }) => {
      const at = samplesAt(samples, { mode, size, connections });
      const rows = peerNames.flatMap((peer) => rowOf(at, peer) ?? []);
      return { mode, size, connections, rows };
    }),
  );
}

export function samplesAt(
  samples: readonly DurableSample[],
  { mode, size, connections }: Point & { readonly mode: Mode },
): DurableSample[] {
  return samples.filter((sample) => sample.mode === mode && sample.size === size && sample.connections === connections);
}

function rowOf(at: readonly DurableSample[], peer: PeerName): DurableRow | undefined {
  const own = at.filter((sample) => sample.peer === peer);
  if (own.length === 0) return undefined;
  const medians = figures.map((figure) => [figure, median(own.map((sample) => sample[figure]))]);
  const single = singles[peer];
  return {
    peer,
    ...(Object.fromEntries(medians) as Record<(typeof figures)[number], number>),
    toNoStore: ratioOf(at, peer, "no-store"),
    toSingle: single && ratioOf(at, peer, single),
  };
}

/** How many times as many requests one server answers as another: within each round, where the machine was the same for both; the median of that. */
export function ratioOf(at: readonly DurableSample[], one: PeerName, other: PeerName): number | undefined {
  const ratios = at.flatMap((mine) => {
    if (mine.peer !== one) return [];
    const theirs = at.find(({ peer, round }) => peer === other && round === mine.round);
    return theirs ? [mine.requestsPerSecond / theirs.requestsPerSecond] : [];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}
