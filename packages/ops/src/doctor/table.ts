import { ConfigError, redact } from "@crosszone/service-kit";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";

/** What a probe found. Contains no secrets: it is shown to every user of the doctor and pasted into tickets. */
export interface Finding {
  /** `warned`: something that an operator should know, although nothing is broken. */
  readonly status: "passed" | "warned" | "failed" | "skipped";
  /** The finding, in one line. */
  readonly says: string;
  /** What to do about it, one sentence each. If empty, the row's advice applies. */
  readonly todo: readonly string[];
  /** Selects the row's advice, e.g. an error code of the peer. */
  readonly code?: string;
}

/** One row of the doctor's table: the variables, the probe that tries them, and what to do when it finds a problem. */
export interface Row {
  /** A short name, unique within a table: `slack scopes`. */
  readonly name: string;
  /** The variables that the probe reads. The row is skipped when one of them is invalid. */
  readonly variables?: readonly string[];
  /** Earlier rows that must pass before this one can run. */
  readonly needs?: readonly string[];
  readonly probe: (signal: AbortSignal) => Finding | Promise<Finding>;
  /** What to do about a problem: one sentence, or a sentence by the finding's code, with `other` for all other codes. */
  readonly advice?: string | Readonly<Record<string, string | undefined>>;
}

export const passed = (says: string): Finding => ({ status: "passed", says, todo: [] });
export const warned = (says: string, ...todo: string[]): Finding => ({ status: "warned", says, todo });
export const failed = (says: string, ...todo: string[]): Finding => ({ status: "failed", says, todo });
export const skipped = (reason: string): Finding => ({ status: "skipped", says: reason, todo: [] });
/** A failure for which the row has advice. */
export const failedBy = (code: string, says: string): Finding => ({ ...failed(says), code });

/** The finding of a row, with the advice that applies. */
export interface RowResult extends Pick<Finding, "status" | "says" | "todo"> {
  readonly name: string;
  /** Duration, whole milliseconds. */
  readonly ms: number;
}

export interface RunRowsOptions {
  /** Returns why a row is skipped; undefined if it runs. */
  readonly skip?: (row: Row) => string | undefined;
  /** Timeout of one row, milliseconds. */
  readonly timeoutMs: number;
  /** Called before and after each row. */
  readonly onStart?: (row: Row) => void;
  readonly onResult?: (result: RowResult) => void;
}

/**
 * Runs rows in order and returns their results. A row is skipped if a row that it needs did not pass. A probe that throws or times out has
 * failed. An error of the zone's start is shown as it is; other texts are not, because they can quote what the probe read.
 */
export async function runRows(rows: readonly Row[], options: RunRowsOptions): Promise<RowResult[]> {
  const results = new Map<string, RowResult>();
  for (const row of rows) {
    options.onStart?.(row);
    const startedAt = performance.now();
    const missing = row.needs?.find((name) => !/passed|warned/.test(results.get(name)?.status ?? ""));
    const reason = options.skip?.(row) ?? (missing && `requires "${missing}"`);
    const { status, says, todo } = reason ? skipped(reason) : advised(row, await run(row, options.timeoutMs));
    const ms = Math.round(performance.now() - startedAt);
    const result = { name: row.name, status, says: clean(says), todo: todo.map(clean), ms };
    results.set(row.name, result);
    options.onResult?.(result);
  }
  return [...results.values()];
}

async function run({ probe }: Row, timeoutMs: number): Promise<Finding> {
  try {
    return await withTimeout(timeoutMs, probe);
  } catch (error) {
    const atStart = startErrors(error);
    if (atStart) return failed("the zone can't start", ...atStart);
    if (error instanceof TimeLimitError)
      return failed(error.message, "Try again. If it still fails, check the network.");
    const name = error instanceof Error ? error.name : "an unknown error";
    return failed(`the probe failed with ${name}`, "This is a fault of the doctor, not of the configuration.");
  }
}

/** Returns the lines that the zone prints when its start ends with this error; undefined if it is no error of the start. */
export function startErrors(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) return error.message.split("\n  - ").slice(1);
  return error instanceof Error && error.name === "FileProblemsError" ? error.message.split("\n") : undefined;
}

function advised({ advice }: Row, finding: Finding): Finding {
  const { status, todo, code = "other" } = finding;
  if (todo.length > 0 || !/warned|failed/.test(status)) return finding;
  const sentence = typeof advice === "string" ? advice : (advice?.[code] ?? advice?.["other"]);
  return sentence === undefined ? finding : { ...finding, todo: [sentence] };
}

/** A finding can contain names and codes of a peer, but nothing that looks like a token. */
const clean = (text: string): string => String(redact(text, { text: 600 })).replaceAll(/\s+/g, " ");
