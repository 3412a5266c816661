/** A goal and how it was met. */
export interface GoalResult {
  readonly goal: string;
  readonly value: number;
  readonly met: boolean;
  /** The same ratio by CPU time, which a busy machine disturbs less. */
  readonly byCpu?: number | undefined;
}

/** What a goal is judged by; a goal without a value is left out. */
type Found = number | undefined | { readonly value: number | undefined; readonly byCpu?: number | undefined };

const judgeBy =
  (isMet: (value: number, limit: number) => boolean) =>
  (goal: string, found: Found, limit: number): GoalResult[] => {
    const { value, byCpu } = typeof found === "object" ? found : { value: found };
    if (value === undefined) return [];
    return [{ goal, value, met: isMet(value, limit), ...(byCpu !== undefined && { byCpu }) }];
  };

export const atLeast = judgeBy((value, limit) => value >= limit);
export const atMost = judgeBy((value, limit) => value <= limit);
export const exactly = judgeBy((value, limit) => value === limit);

/** Goals as a list: `- core ≥ 0.78 of bare at 300 B: 0.81 ✓`, with the ratio by CPU time where it was measured. */
export function goalList(goals: readonly GoalResult[]): string {
  const lines = goals.map(({ goal, value, met, byCpu }) => {
    const note = byCpu === undefined ? "" : ` (by CPU time ${byCpu.toFixed(2)})`;
    return `- ${goal}: ${met ? "" : "✗ "}${value.toFixed(2)}${met ? " ✓" : ""}${note}`;
  });
  return lines.join("\n");
}
