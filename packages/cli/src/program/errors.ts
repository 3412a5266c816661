import { isNearName } from "@crosszone/service-kit/text";

/**
 * Exit codes: success; a failed run or an invalid definition; a usage error; a zone that refused or can't be reached; output that can't be
 * written; interrupted.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unwritten: 4, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is invalid. The message says how to fix it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The words of the command whose help explains more, e.g. `runs list`; empty for the program. */
  command: string | undefined;
}

/** Returns ` Did you mean …?` if a known name is similar, otherwise an empty string. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = known.filter((one) => isNearName(name, one) || (name.length > 1 && one.startsWith(name)));
  return near.length === 0 ? "" : ` Did you mean ${near.slice(0, 3).join(" or ")}?`;
}
