/** The n-th question: a product that no other question has, so that an answer shows which one it belongs to. */
export function productOf(n: number): string {
  return `what is ${n + 1_000} * 7919`;
}

/** Whether a text answers the n-th question, however it groups the digits. */
export function isRightAnswer(n: number, text: string): boolean {
  return text.replaceAll(/[^\d]/g, "").includes(String((n + 1_000) * 7_919));
}
