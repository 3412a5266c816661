import type { AgentRecord } from "@crosszone/contracts";
import type { PeerStorage } from "../../kit/peer-processes.ts";
import type { Pace } from "../chains.ts";

/** The program that advances runs, in one process. */
export interface RunPeer {
  /** Starts a run of a chain and returns its id. `onEnded` reports its end, perhaps in another process. */
  readonly begin: (pace: Pace, chain: number) => Promise<string>;
  /** Runs the loop with some items; resolves with the number of right answers. */
  readonly loop: (items: readonly string[]) => Promise<number>;
}

export interface RunPeerDeps extends PeerStorage {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many agents are called at once; peers written by hand call one for each run. */
  readonly concurrency: number;
  /** A step is done, and stored if the peer stores steps. */
  readonly onStep: (runId: string) => void;
  /** `problem` when the run's output is wrong. */
  readonly onEnded: (runId: string, problem: string | undefined) => void;
}
