import { redact, TimeLimitError, withTimeout } from "@crosszone/service-kit";

/** The outcome of a check. A warning is something that an operator should know, although nothing is broken. */
export type FindingStatus = "passed" | "warned" | "failed" | "skipped";

/** The result of a check. Contains no secrets: it is shown to every user of the doctor and pasted into tickets. */
export interface Finding {
  readonly status: FindingStatus;
  /** The finding, in one line. */
  readonly says: string;
  /** What to do about it, one sentence each. */
  readonly todo: readonly string[];
}

/** One question that the doctor asks of a configuration and of the peers that it names. */
export interface Check {
  /** A short name, unique within a list: `slack scopes`. */
  readonly name: string;
  /** Earlier checks that must pass before this one can run. */
  readonly needs?: readonly string[];
  /** The variables that it reads. It is skipped when one of them is invalid. */
  readonly reads?: readonly string[];
  readonly run: (signal: AbortSignal) => Finding | Promise<Finding>;
}

export const passed = (says: string): Finding => ({ status: "passed", says, todo: [] });
export const warned = (says: string, ...todo: string[]): Finding => ({ status: "warned", says, todo });
export const failed = (says: string, ...todo: string[]): Finding => ({ status: "failed", says, todo });
export const skipped = (reason: string): Finding => ({ status: "skipped", says: reason, todo: [] });

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
    return await withTimeout(timeoutMs, check.run);
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

/** A mismatch between values, and a sentence with the problem and its fix. */
export type Misfit = readonly [applies: boolean, todo: string];

/** Checks that individually valid values work together; `fine` is the text for no mismatch. */
export function judgeFit(fine: string, misfits: readonly Misfit[]): Finding {
  const todo = misfits.flatMap(([applies, text]) => (applies ? [text] : []));
  return todo.length === 0 ? passed(fine) : warned("some values do not fit together", ...todo);
}
