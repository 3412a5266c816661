import { createRandom, type Random } from "../../harness/random.ts";
import type { Life } from "../time/life.ts";

/** A failure of an operation that has an effect outside its process. */
export type Trouble = "lost_before" | "lost_after" | "die_before" | "die_after" | "busy";

/** Where an operation has its effect. `ending` is the database when a job ends. */
export type Place = "database" | "ending" | "slack" | "link";

/** Decides which operations fail. One seed decides everything; each place has its own random sequence. */
export type Troubles = ReturnType<typeof createTroubles>;

export interface Doom {
  readonly place: Place;
  /** Number of the operation, from 1. */
  readonly at: number;
  readonly trouble: "die_before" | "die_after" | "lost_before";
}

/** Returns rates that differ by seed: many failures at one place, or a few everywhere. */
function ratesOf(random: Random) {
  const rate = (): number => random.pick([0, 0, 5, 20, 60]);
  return { lostBefore: rate(), lostAfter: rate(), busy: random.pick([0, 20, 80]) };
}

const places: readonly Place[] = ["database", "slack", "link", "ending"];

export function createTroubles(seed: number) {
  const courses = new Map(
    places.map((place, at) => {
      const random = createRandom(seed, 10 + at);
      return [place, { random, rates: ratesOf(random) }] as const;
    }),
  );
  const dooms = new Map<Life, Doom & { left: number; readonly onReached: (() => void) | undefined }>();
  const counts: Record<string, number> = {};
  let isOver = false;
  const course = (place: Place) =>
    courses.get(place) ?? { random: createRandom(seed), rates: ratesOf(createRandom(seed)) };

  function chosen(place: Place, life: Life): Trouble | undefined {
    const doom = dooms.get(life);
    if (doom?.place === place && (doom.left -= 1) === 0) {
      dooms.delete(life);
      doom.onReached?.();
      return doom.trouble;
    }
    if (isOver) return undefined;
    const { random, rates } = course(place);
    const dice = random.int(1_000);
    if (dice < rates.lostBefore) return "lost_before";
    if (dice < rates.lostBefore + rates.lostAfter) return "lost_after";
    return dice < rates.lostBefore + rates.lostAfter + rates.busy ? "busy" : undefined;
  }

  return {
    random: (place: Place) => course(place).random,
    /** Called at each operation of a process. */
    next: (place: Place, life: Life) => {
      const trouble = chosen(place, life);
      if (trouble !== undefined) counts[`${place} ${trouble}`] = (counts[`${place} ${trouble}`] ?? 0) + 1;
      return trouble;
    },
    /** Makes one of the process's next operations at a place fail. */
    doom: (life: Life, doom: Doom, onReached?: () => void) =>
      void dooms.set(life, { ...doom, left: doom.at, onReached }),
    /** Ends all failures except doomed operations. */
    end: () => {
      isOver = true;
    },
    /** Cancels all doomed operations. */
    spare: () => dooms.clear(),
    isOver: () => isOver,
    counts,
  };
}
