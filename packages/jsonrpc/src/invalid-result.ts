import type { ParamProblem } from "@crosszone/contracts";

/** Says, for a log, why a method's result breaks the contract. Names members only, so it holds nothing of the result. */
export function invalidResult(method: string, problems: readonly ParamProblem[]): string {
  const list = problems.map(({ pointer, message }) => `${pointer || "it"} ${message}`);
  return `the result of ${method} is invalid: ${list.join(", ")}`;
}
