import { passed, warned, type Finding } from "./check.ts";

/** What does not fit together, and a sentence that says so and what to do. */
export type Misfit = readonly [applies: boolean, todo: string];

/** Whether values that are each right make sense together; `fine` is said when they do. */
export function judgeFit(fine: string, misfits: readonly Misfit[]): Finding {
  const todo = misfits.flatMap(([applies, text]) => (applies ? [text] : []));
  return todo.length === 0 ? passed(fine) : warned("not all of them fit together", ...todo);
}
