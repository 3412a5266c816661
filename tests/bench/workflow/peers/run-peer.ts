import type { AgentRecord } from "@crosszone/contracts";
import type { ZonePlan } from "../../zone/open-zone.ts";
import type { Pace } from "../chains.ts";

/** What brings runs forward, in one process. */
export interface RunPeer {
  /** Begins a run of a chain; gives its id once it is begun. That it has ended `onEnded` is told, maybe in another process. */
  readonly begin: (pace: Pace, chain: number) => Promise<string>;
  /** One run that gives the agent of the loop each item; resolves with how many answers were right. */
  readonly loop: (items: readonly string[]) => Promise<number>;
}

export interface RunPeerDeps extends ZonePlan {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many agents are asked at once; peers written by hand ask one for each run. */
  readonly concurrency: number;
  /** A step is done, and kept if that is what the peer does. */
  readonly onStep: (runId: string) => void;
  /** `problem` when the run's output is not the right one. */
  readonly onEnded: (runId: string, problem: string | undefined) => void;
}
