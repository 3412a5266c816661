import type { StepState } from "@crosszone/contracts";
import { duration } from "../output/duration.ts";

/** What is seen of a step, all its instances together. */
export interface StepLine {
  readonly id: string;
  readonly title: string;
  readonly agent?: string;
  readonly state: StepState;
  /** How many steps are around it. */
  readonly depth: number;
  /** Of a loop its items; inside of one, instances. */
  readonly done?: number;
  readonly total?: number;
  /** How long it took, or takes by now; milliseconds. */
  readonly elapsedMs?: number;
}

/** What stands behind a step's title: its agent, how much of a loop is done, how long it took. */
export function stepRest(
  { agent, done, total, elapsedMs }: StepLine,
  { withTime }: { readonly withTime: boolean },
): string {
  const count = done === undefined || total === undefined ? undefined : `${done}/${total}`;
  const time = elapsedMs === undefined || !withTime ? undefined : duration(elapsedMs);
  return [agent, count, time].filter((part) => part !== undefined).join(" · ");
}
