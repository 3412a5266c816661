import type { RunProblem } from "@crosszone/contracts";
import { harmlessLine } from "./harmless.ts";

/** Why a run or a step failed, on one line: in words, of which kind, and where. */
export function problemText({ kind, message, path }: RunProblem): string {
  const at = path === undefined ? "" : ` at ${path}`;
  return `${harmlessLine(message)} (${kind}${at})`;
}
