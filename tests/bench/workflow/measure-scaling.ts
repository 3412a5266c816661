import { withPeer, withRuns, type Bench, type StepFigures } from "./measure-peer.ts";
import { peers, type PeerName } from "./peers.ts";
import { scalePoints, type ScalePoint } from "./plan.ts";

/** So many processes of a peer on one database, with the same runs under way in all together. */
export interface ScaleSample extends Pick<ScalePoint, "pace">, StepFigures {
  readonly peer: PeerName;
  readonly executors: 1 | 2;
  /** The turn, within which one is compared with two. */
  readonly round: number;
}

/** One process and two, in turns: what the machine does meanwhile is done to both. No process has a core of its own. */
export async function measureScaling(peer: PeerName, bench: Bench): Promise<ScaleSample[]> {
  // Without a bound of calls one process asks all agents at once that there is something to ask.
  const asked = scalePoints.filter(({ isBound }) => !isBound || peers[peer].kind === "crosszone");
  const { turns, warmUpMs, windows, windowMs } = bench.plan;
  const found: ScaleSample[] = [];
  for (let round = 0; round < turns; round++)
    for (const executors of round % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const))
      for (const { pace, concurrency } of asked) {
        const figures = await withPeer(peer, { ...bench, count: executors, concurrency }, (workers) =>
          withRuns(workers, { pace, runs: 64 }, async (look) => {
            await look(warmUpMs);
            return look(windows * windowMs);
          }),
        );
        found.push({ peer, executors, pace, round, ...figures });
      }
  return found;
}
