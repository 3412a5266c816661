import type { ParamProblem } from "@crosszone/contracts";

/** Returns why a method's result breaks the contract, for a log. Names only members, so it contains nothing of the result. */
export function invalidResult(method: string, problems: readonly ParamProblem[]): string {
  const list = problems.map(({ pointer, message }) => `${pointer || "it"} ${message}`);
  return `the result of ${method} is invalid: ${list.join(", ")}`;
}
