import type { Emit } from "@crosszone/service-kit";
import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { SweepParts } from "../asking/read-history.ts";
import type { LeasedSweep } from "../inbox/sweep-store.ts";
import type { WorkspaceContext, Workspaces } from "../workspaces/workspaces.ts";
import { sweep, SweepLostError } from "./sweep.ts";

/** Sweeps of workspaces at the same time in one process. */
const mostSweeps = 8;

/** Heartbeats that may be missing before a workspace counts as unheard. */
const mostMissing = 3;

/** When a sweep that failed is continued, and when what Slack may send again is looked for, milliseconds. */
const [failedMs, resentMs] = [30_000, 90_000];

export type Sweeper = ReturnType<typeof createSweeper>;

/**
 * Notes regularly that events arrive, and sweeps the workspaces that were not heard: after a start, a lost socket, or when the process or Slack
 * stood still. Several processes share the work; one sweeps a workspace at a time. It begins with `up`.
 */
export function createSweeper(
  deps: SweepParts & {
    readonly allWorkspaces: Workspaces["all"];
    readonly heartbeatMs: number;
    readonly clock: Clock;
    readonly emit: Emit<VerificationEvent>;
  },
) {
  const { store, allWorkspaces, heartbeatMs, clock, emit } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweeps = new Map<string, Promise<void>>();
  let running: Promise<void> | undefined;
  let isUp = false;
  /** How often events began to arrive. */
  let ups = 0;
  let gapMs = 0;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await beat().catch((failure: unknown) => emit("sweep_failed", { operation: "heartbeat", failure }));
      await clock.sleep(heartbeatMs, signal).catch(() => undefined);
    }
  }

  async function beat(): Promise<void> {
    const workspaces = new Map((await allWorkspaces()).map((one) => [one.identity.team_id, one]));
    const noted = ups;
    await store.beat(isUp ? [...workspaces.keys()] : [], gapMs);
    // What was lost meanwhile, the next heartbeat notes.
    if (!isUp || noted !== ups) return;
    gapMs = heartbeatMs * mostMissing;
    while (sweeps.size < mostSweeps && !signal.aborted) {
      const free = [...workspaces.keys()].filter((team) => !sweeps.has(team));
      const leased = free.length === 0 ? undefined : await store.lease(free);
      const workspace = workspaces.get(leased?.team_id ?? "");
      if (leased === undefined || workspace === undefined) return;
      const { team_id } = leased;
      sweeps.set(
        team_id,
        work(workspace, leased).finally(() => sweeps.delete(team_id)),
      );
    }
  }

  /** Never rejects. */
  async function work(workspace: WorkspaceContext, leased: LeasedSweep): Promise<void> {
    let againMs = 0;
    try {
      await sweep({ ...deps, workspace, signal }, leased);
    } catch (failure) {
      if (signal.aborted || failure instanceof SweepLostError) return;
      againMs = failedMs;
      emit("sweep_failed", { team_id: leased.team_id, operation: "sweep", failure });
    } finally {
      await store.release(leased, againMs).catch(() => undefined);
    }
  }

  return {
    /** Events arrive from now on. With the next heartbeat, what was written since the last one is read. */
    up: (): void => {
      [isUp, gapMs, ups] = [true, 0, ups + 1];
      running ??= run();
    },
    /** Events no longer arrive, until `up`. */
    down: (): void => {
      isUp = false;
    },
    /** Reads what was written since then, Unix milliseconds, once Slack has sent again what it does. Without a `team_id`, in each workspace. */
    lost: ({ team_id, since }: { readonly team_id?: string; readonly since: number }): void => {
      const noted = store.lost(team_id, { agoMs: Math.max(0, clock.now() - since), forMs: resentMs });
      noted.catch((failure: unknown) => emit("sweep_failed", { operation: "note_loss", failure }));
    },
    /** Leaves sweeps to the next process. */
    stop: async (graceMs: number): Promise<void> => {
      stopping.abort();
      await atMost(graceMs, Promise.all([running, ...sweeps.values()]), clock);
    },
  };
}
