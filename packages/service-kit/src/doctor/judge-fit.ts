import { passed, warned, type Finding } from "./check.ts";

/** A mismatch between values, and a sentence with the problem and its fix. */
export type Misfit = readonly [applies: boolean, todo: string];

/** Checks that individually valid values work together; `fine` is the text for no mismatch. */
export function judgeFit(fine: string, misfits: readonly Misfit[]): Finding {
  const todo = misfits.flatMap(([applies, text]) => (applies ? [text] : []));
  return todo.length === 0 ? passed(fine) : warned("some values do not fit together", ...todo);
}
