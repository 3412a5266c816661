import type { Progress } from "./benchmark.ts";

interface Subjects<Subject> {
  readonly of: readonly Subject[];
  readonly progress: Progress;
}

/** Measures one subject after another. */
export async function measureEach<Subject, Sample>(
  { title, of, progress }: Subjects<Subject> & { readonly title: string },
  measure: (subject: Subject) => Promise<readonly Sample[]>,
): Promise<Sample[]> {
  const found: Sample[] = [];
  progress(`${title}:`);
  for (const subject of of) {
    progress(` ${typeof subject === "object" ? Object.values(subject as object).join("/") : String(subject)}`);
    found.push(...(await measure(subject)));
  }
  progress("\n");
  return found;
}

/** Measures each subject once a round. */
export async function inRounds<Subject, Sample>(
  { rounds, of, progress }: Subjects<Subject> & { readonly rounds: number },
  measure: (subject: Subject, round: number) => Promise<readonly Sample[]>,
): Promise<Sample[]> {
  const found: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    const title = `round ${round + 1} of ${rounds}`;
    found.push(...(await measureEach({ title, of: inTurns(of, round), progress }, (one) => measure(one, round))));
  }
  return found;
}

/** The order of a round: backwards in every second one, so that a slow drift of the machine affects all alike. */
export const inTurns = <T>(all: readonly T[], round: number): readonly T[] =>
  round % 2 === 0 ? all : all.toReversed();

/** Measures several windows and returns the best: the rest of the machine can only make a subject look slower. */
export async function bestOf<Window>(
  windows: number,
  measure: () => Promise<Window>,
  figure: (window: Window) => number,
): Promise<Window> {
  let best = await measure();
  for (let window = 1; window < windows; window++) {
    const next = await measure();
    if (figure(next) > figure(best)) best = next;
  }
  return best;
}
