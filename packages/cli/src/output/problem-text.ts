import type { RunProblem } from "@crosszone/contracts";
import { harmlessLine } from "./harmless.ts";

/** Returns why a run or a step failed, on one line: message, kind and path. */
export function problemText({ kind, message, path }: RunProblem): string {
  const at = path === undefined ? "" : ` at ${path}`;
  return `${harmlessLine(message)} (${kind}${at})`;
}
