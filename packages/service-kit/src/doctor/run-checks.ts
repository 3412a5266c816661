import { redact } from "../redact.ts";
import { TimeLimitError, within } from "../within.ts";
import { failed, skipped, type Check, type Finding, type FindingStatus } from "./check.ts";

/** A check with what it found. */
export interface CheckResult extends Finding {
  readonly name: string;
  /** How long it took, whole milliseconds. */
  readonly ms: number;
}

export interface RunChecksOptions {
  /** Why a check shall not run; nothing when it shall. */
  readonly skip?: (check: Check) => string | undefined;
  /** How long one check may take, milliseconds. */
  readonly timeoutMs: number;
  /** Told before and after each check. */
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Runs checks one after the other, in their order, and gives what they found. A check is skipped when one that it needs did not
 * pass. One that throws or takes too long has failed; its text is never shown as it is, for it may quote what it looked at.
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
  return name === undefined ? undefined : `needs "${name}"`;
}

async function run(check: Check, timeoutMs: number): Promise<Finding> {
  try {
    return await within(timeoutMs, check.run);
  } catch (error) {
    if (error instanceof TimeLimitError)
      return failed(error.message, "Try again; if it stays so, look at the network.");
    const name = error instanceof Error ? error.name : "something unknown";
    return failed(`the check itself ended with ${name}`, "This is a fault of the doctor, not of the configuration.");
  }
}

/** Names and codes of a peer may stand in a finding; nothing that looks like a token may. */
function withoutSecrets({ status, says, todo }: Finding): Finding {
  const clean = (text: string): string => String(redact(text, { text: 600 })).replaceAll(/\s+/g, " ");
  return { status, says: clean(says), todo: todo.map(clean) };
}
