import { createRandom, type Random } from "../../harness/random.ts";
import type { Life } from "../time/life.ts";

/** What can go wrong with an operation that may have an effect elsewhere. */
export type Trouble = "lost_before" | "lost_after" | "die_before" | "die_after" | "busy";

/** Where a process does something that others see; `ending` is the database when jobs end. */
export type Place = "database" | "ending" | "slack" | "link";

/** How often something goes wrong, of a thousand operations. */
export interface Rates {
  readonly lostBefore: number;
  readonly lostAfter: number;
  readonly busy: number;
}

/** Decides what goes wrong: everything by one seed, each place by a course of its own. */
export interface Troubles {
  /** Asked at each operation of a process. */
  readonly next: (place: Place, life: Life) => Trouble | undefined;
  readonly random: (place: Place) => Random;
  /** One of the process's next operations there goes wrong. */
  readonly doom: (life: Life, doom: Doom, onReached?: () => void) => void;
  /** Nothing goes wrong any more, except what is doomed. */
  readonly end: () => void;
  /** Nothing is doomed any more. */
  readonly spare: () => void;
  readonly isOver: () => boolean;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Doom {
  readonly place: Place;
  /** The number of the operation, from 1. */
  readonly at: number;
  readonly trouble: "die_before" | "die_after" | "lost_before";
}

/** Some seeds have much trouble at one place, others a little everywhere. */
function ratesOf(random: Random): Rates {
  const rate = (): number => random.pick([0, 0, 5, 20, 60]);
  return { lostBefore: rate(), lostAfter: rate(), busy: random.pick([0, 20, 80]) };
}

const places: readonly Place[] = ["database", "slack", "link", "ending"];

export function createTroubles(seed: number): Troubles {
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
    random: (place) => course(place).random,
    next: (place, life) => {
      const trouble = chosen(place, life);
      if (trouble !== undefined) counts[`${place} ${trouble}`] = (counts[`${place} ${trouble}`] ?? 0) + 1;
      return trouble;
    },
    doom: (life, doom, onReached) => void dooms.set(life, { ...doom, left: doom.at, onReached }),
    end: () => {
      isOver = true;
    },
    spare: () => dooms.clear(),
    isOver: () => isOver,
    counts,
  };
}
