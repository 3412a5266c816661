import type { JobRoom } from "./job-kind.ts";
import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob, WantedJobs } from "../table/job.ts";
import { createKnownShares, shareRoom, type ShareRoom, type Look, type Fairness } from "./fairness.ts";

/**
 * The result of a take. `more`: jobs can be taken at once; `full`: more jobs can be taken after one has ended here; `nothing`: no jobs
 * wait.
 */
export type Leftover = "more" | "full" | "nothing";

/** Jobs per statement. */
const most = 100;

/** Takes the waiting jobs of a kind. */
export function takeKind<Own extends string>(deps: {
  readonly store: JobStore<Own>;
  readonly kind: JobRoom & { readonly kind: string };
  readonly fairness: Fairness;
  readonly failed: (operation: "take", cause: unknown) => void;
  readonly worked: (() => void) | undefined;
  /** How many more jobs of the kind may start here; 0 when the process stops. */
  readonly roomLeft: () => number;
  /** `free` frees the job's reserved room. */
  readonly start: (job: LeasedJob<Own>, free: () => void) => void;
}) {
  const { store, kind, fairness, failed, worked, roomLeft, start } = deps;
  let appetites = new Map<string, number>();
  const known = createKnownShares(async () => {
    const shares = await store.waitingShares(kind.kind);
    worked?.();
    return shares;
  });

  async function take(look: Look): Promise<Leftover> {
    if (roomLeft() <= 0) {
      look.noRoom();
      return "full";
    }
    const waiting = await known.find();
    if (waiting.length === 0) {
      look.found([]);
      return "nothing";
    }
    await kind.prepare?.(waiting);
    // No await between here and reserving the room.
    const room = Math.min(most, roomLeft());
    const shares = waiting.map((share) => ({ share, free: Math.min(room, kind.free(share)) }));
    // One more than are known to wait, so that fewer mean that none are left. If all room were reserved for the few that usually
    // wait, jobs that arrive meanwhile would have to wait too.
    const appetiteOf = (share: string): number => appetites.get(share) ?? look.known(share) + 1;
    const modest = shares.map(({ share, free }) => ({ share, free: Math.min(free, appetiteOf(share)) }));
    const wanted = shareRoom(room, modest);
    const reserved = reserve(wanted);
    look.found(waiting.filter((share) => kind.free(share) <= 0));
    try {
      const taken = await store.take(wanted);
      for (const job of taken) start(job, reserved.get(job.share)?.pop() ?? (() => undefined));
      const { leftover, more } = judge(look, shares, { wanted, taken, room });
      appetites = new Map(more.map((share) => [share, Math.min(most, appetiteOf(share) * 4)]));
      // Shares that got nothing are next.
      const got = new Set(taken.map(({ share }) => share));
      known.haveMore(more.toSorted((one, other) => Number(got.has(one)) - Number(got.has(other))));
      return leftover;
    } finally {
      for (const free of [...reserved.values()].flat()) free();
    }
  }

  /** Room is reserved before jobs are taken, so that a newly arriving job can't start in their place. */
  function reserve(wanted: readonly WantedJobs[]): Map<string, (() => void)[]> {
    const roomOf = ({ share, most: count }: WantedJobs): (() => void)[] =>
      Array.from({ length: count }, () => kind.reserve(share)).filter((free) => free !== undefined);
    return new Map(wanted.map((one) => [one.share, roomOf(one)]));
  }

  return {
    /** Takes jobs once and starts them here. Never rejects. */
    take: async (): Promise<Leftover> => {
      const look = fairness.look();
      try {
        return await take(look);
      } catch (cause) {
        look.noRoom();
        failed("take", cause);
        return "nothing";
      }
    },
    lookAgain: (share?: string): void => known.lookAgain(share),
  };
}

interface Taking {
  readonly wanted: readonly WantedJobs[];
  readonly taken: readonly { readonly share: string }[];
  /** Number of jobs that could be taken, of all shares. */
  readonly room: number;
}

/**
 * A share that got all requested jobs may have more. They wait for its own room, for room in the process, or only for the next take, which
 * will request more: then new ones needn't wait, because all of them have room. `more`: the shares that may have more.
 */
function judge(look: Look, shares: readonly ShareRoom[], { wanted, taken, room }: Taking) {
  const asked = new Map(wanted.map(({ share, most: count }) => [share, count]));
  const got = new Map<string, number>();
  for (const { share } of taken) got.set(share, (got.get(share) ?? 0) + 1);
  const full = shares.filter(({ share }) => (got.get(share) ?? 0) >= (asked.get(share) ?? 0));
  const left = full.filter(({ share, free }) => (asked.get(share) ?? 0) < free);
  const all = wanted.reduce((sum, one) => sum + one.most, 0);
  if (all >= room && left.length > 0) look.noRoom();
  else look.found(full.filter((one) => !left.includes(one)).map(({ share }) => share));
  const more = full.map(({ share }) => share);
  const leftover: Leftover = all > 0 && (taken.length === all || left.length > 0) ? "more" : "full";
  return { leftover, more };
}
