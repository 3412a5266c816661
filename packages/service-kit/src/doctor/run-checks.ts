import { redact } from "../redact.ts";
import { TimeLimitError, within } from "../within.ts";
import { failed, skipped, type Check, type Finding, type FindingStatus } from "./check.ts";

/** A check with its result. */
export interface CheckResult extends Finding {
  readonly name: string;
  /** Duration, whole milliseconds. */
  readonly ms: number;
}

export interface RunChecksOptions {
  /** Returns why a check is skipped; undefined if it runs. */
  readonly skip?: (check: Check) => string | undefined;
  /** Timeout of one check, milliseconds. */
  readonly timeoutMs: number;
  /** Called before and after each check. */
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Runs checks in order and returns their results. A check is skipped if a check that it needs did not pass. A check that throws or times
 * out has failed; its error text is not shown, because it can quote what the check read.
 */
export async function runChecks(checks: readonly Check[], options: RunChecksOptions): Promise<CheckResult[]> {
  const results = new Map<string, CheckResult>();
  for (const check of checks) {
    options.onStart?.(check);
    const startedAt = performance.now();
    const reason = options.skip?.(check) ?? missing(check, results);
    const finding = reason === undefined ? await run(check, options.timeoutMs) : skipped(reason);
    const result = { name: check.name, ...withoutSecrets(finding), ms: Math.round(performance.now() - startedAt) };
    results.set(check.name, result);
    options.onResult?.(result);
  }
  return [...results.values()];
}

const stands: ReadonlySet<FindingStatus | undefined> = new Set<FindingStatus>(["passed", "warned"]);

function missing({ needs = [] }: Check, results: ReadonlyMap<string, CheckResult>): string | undefined {
  const name = needs.find((need) => !stands.has(results.get(need)?.status));
  return name === undefined ? undefined : `requires "${name}"`;
}

async function run(check: Check, timeoutMs: number): Promise<Finding> {
  try {
    return await within(timeoutMs, check.run);
  } catch (error) {
    if (error instanceof TimeLimitError)
      return failed(error.message, "Try again. If it still fails, check the network.");
    const name = error instanceof Error ? error.name : "an unknown error";
    return failed(`the check failed with ${name}`, "This is a fault of the doctor, not of the configuration.");
  }
}

/** A finding can contain names and codes of a peer, but nothing that looks like a token. */
function withoutSecrets({ status, says, todo }: Finding): Finding {
  const clean = (text: string): string => String(redact(text, { text: 600 })).replaceAll(/\s+/g, " ");
  return { status, says: clean(says), todo: todo.map(clean) };
}
