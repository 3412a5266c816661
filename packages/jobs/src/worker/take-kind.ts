import type { JobStore } from "../store/job-store.ts";
import type { LeasedJob, WantedJobs } from "../table/job-tables.ts";
import type { JobRoom } from "./job-kind.ts";

/**
 * Tracks which shares have waiting jobs, as far as this process knows, so that no new job starts in the place of an older one of its share.
 */
export class Fairness {
  #waiting: ReadonlySet<string> | "unknown" = "unknown";
  /** Numbers of jobs by share: being stored, stored since the last look began, and stored before it. */
  readonly #storing = new Map<string, number>();
  #justStored = new Map<string, number>();
  #stored = new Map<string, number>();

  /**
   * Whether a job of this share may start on arrival: `free`, the room of its share, and `room`, that of the process, exceed what the older
   * waiting jobs need.
   */
  isNext(share: string, free: number, room: number): boolean {
    if (this.#waiting === "unknown" || this.#waiting.has(share)) return false;
    const counts = [this.#storing, this.#justStored, this.#stored];
    const ofShare = counts.reduce((sum, count) => sum + (count.get(share) ?? 0), 0);
    return (
      ofShare < free && counts.reduce((sum, count) => count.values().reduce((all, one) => all + one, sum), 0) < room
    );
  }

  /** Announces that a waiting job is being stored. Call the returned function when it is stored or has failed. */
  queue(share: string): () => void {
    add(this.#storing, share, 1);
    return () => {
      add(this.#storing, share, -1);
      add(this.#justStored, share, 1);
    };
  }

  /** Announces a read of waiting jobs. It finds everything queued before. */
  look() {
    for (const [share, count] of this.#justStored) add(this.#stored, share, count);
    this.#justStored = new Map();
    return {
      /** An upper bound of the waiting jobs of a share that this process has stored. */
      known: (share: string): number => this.#stored.get(share) ?? 0,
      /**
       * Only these shares have more waiting jobs than room was reserved for; jobs of others may start. Call again after some
       * were taken, with the shares that have more.
       */
      found: (shares: Iterable<string>): void => {
        this.#waiting = new Set(shares);
        this.#stored = new Map();
      },
      /** Jobs wait for room in the process, so new ones must wait too. */
      noRoom: (): void => void (this.#waiting = "unknown"),
    };
  }
}

type Look = ReturnType<Fairness["look"]>;

function add(counts: Map<string, number>, share: string, by: number): void {
  const count = (counts.get(share) ?? 0) + by;
  if (count > 0) counts.set(share, count);
  else counts.delete(share);
}

/** A share with waiting jobs. */
interface ShareRoom {
  readonly share: string;
  /** How many more of its jobs may run here. */
  readonly free: number;
}

/** Distributes free room: one job per share in turn, so that one share's long queue delays no other share. */
export function shareRoom(room: number, shares: readonly ShareRoom[]): WantedJobs[] {
  const wanted = shares.map(({ share }) => ({ share, most: 0 }));
  for (let left = room, given = -1; left > 0 && given !== 0;) {
    given = 0;
    for (const [index, one] of wanted.entries()) {
      if (left === 0 || one.most >= (shares[index]?.free ?? 0)) continue;
      one.most += 1;
      left -= 1;
      given += 1;
    }
  }
  return wanted.filter(({ most }) => most > 0);
}

/** How long a look is valid, milliseconds. */
const lookMs = 250;

/** Represents all shares; no share has this name. */
const anyShare = "";

/** Remembers which shares have jobs that wait, so that not every take has to look for them. */
function createKnownShares(look: () => Promise<readonly string[]>) {
  let known: readonly string[] = [];
  let until = 0;
  /** Shares with jobs that arrived since the last look. */
  let news = new Set<string>();

  return {
    /** Returns shares with jobs to take: those that had more, if no others have new jobs, otherwise by a look. */
    find: async (): Promise<readonly string[]> => {
      const shares = known;
      known = [];
      const isGood = shares.length > 0 && performance.now() < until && news.isSubsetOf(new Set(shares));
      news = new Set();
      if (isGood) return shares;
      until = performance.now() + lookMs;
      return look();
    },
    /** These shares have more jobs than were taken, in the order of the next take. */
    haveMore: (shares: readonly string[]): void => void (known = shares),
    /** Jobs of this share, or of any, may have come. */
    lookAgain: (share: string = anyShare): void => void news.add(share),
  };
}

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

/**
 * A share that got all requested jobs may have more. They wait for its own room, for room in the process, or only for the next take, which
 * will request more: then new ones needn't wait, because all of them have room. `room`: for how many jobs of all shares. `more`: the shares
 * that may have more.
 */
function judge(
  look: Look,
  shares: readonly ShareRoom[],
  {
    wanted,
    taken,
    room,
  }: { readonly wanted: readonly WantedJobs[]; readonly taken: readonly LeasedJob[]; readonly room: number },
) {
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
