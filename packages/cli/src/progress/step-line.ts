import type { StepState } from "@crosszone/contracts";
import { duration } from "../output/duration.ts";

/** The state of a step, all its instances together. */
export interface StepLine {
  readonly id: string;
  readonly title: string;
  readonly agent?: string;
  readonly state: StepState;
  /** Nesting depth. */
  readonly depth: number;
  /** For a loop, its items; inside a loop, the instances. */
  readonly done?: number;
  readonly total?: number;
  /** Duration so far, or in total, milliseconds. */
  readonly elapsedMs?: number;
}

/** Returns the text after a step's title: its agent, the progress of a loop, the duration. */
export function stepRest(
  { agent, done, total, elapsedMs }: StepLine,
  { withTime }: { readonly withTime: boolean },
): string {
  const count = done === undefined || total === undefined ? undefined : `${done}/${total}`;
  const time = elapsedMs === undefined || !withTime ? undefined : duration(elapsedMs);
  return [agent, count, time].filter((part) => part !== undefined).join(" · ");
}
