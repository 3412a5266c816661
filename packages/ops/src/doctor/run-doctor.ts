import { parseArgs, styleText } from "node:util";
import {
  ConfigError,
  redact,
  type ConfigDefinition,
  type ConfigValues,
  type Environment,
  type LoadedConfig,
  readConfig,
  variablesOf,
} from "@crosszone/service-kit";
import { showUnseen } from "@crosszone/service-kit/text";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { outageOf } from "@crosszone/sql";

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

/** A row without its probe. */
export interface RowHead {
  /** A short name, unique within a table: `slack scopes`. */
  readonly name: string;
  /** The variables that the probe reads. The row is skipped when one of them is invalid. */
  readonly variables?: readonly string[];
  /** Earlier rows that must pass before this one can run. */
  readonly needs?: readonly string[];
  /** What to do about a problem: one sentence, or a sentence by the finding's code, with `other` for all other codes. */
  readonly advice?: string | Readonly<Record<string, string | undefined>>;
}

/** One row of the doctor's table: the variables, the probe that tries them, and what to do when it finds a problem. */
export interface DoctorRow extends RowHead {
  readonly probe: (signal: AbortSignal) => Finding | Promise<Finding>;
}

export const passed = (says: string): Finding => ({ status: "passed", says, todo: [] });
export const warned = (says: string, ...todo: string[]): Finding => ({ status: "warned", says, todo });
export const failed = (says: string, ...todo: string[]): Finding => ({ status: "failed", says, todo });
export const skipped = (reason: string): Finding => ({ status: "skipped", says: reason, todo: [] });
/** A failure for which the row has advice. */
export const failedBy = (code: string, says: string): Finding => ({ ...failed(says), code });

/** The finding of a row, with the advice that applies. */
export interface RowResult {
  readonly name: string;
  readonly status: Finding["status"];
  readonly says: string;
  readonly todo: readonly string[];
  /** Duration, whole milliseconds. */
  readonly ms: number;
}

interface RunRowsOptions {
  /** Returns why a row is skipped; undefined if it runs. */
  readonly skip?: (row: DoctorRow) => string | undefined;
  /** Timeout of one row, milliseconds. */
  readonly timeoutMs: number;
  /** Called before and after each row. */
  readonly onStart?: (row: DoctorRow) => void;
  readonly onResult?: (result: RowResult) => void;
}

/**
 * Runs rows in order and returns their results. A row is skipped if a row that it needs did not pass. A probe that throws or times out has
 * failed. An error of the zone's start is shown as it is; other texts are not, because they can quote what the probe read.
 */
export async function runRows(rows: readonly DoctorRow[], options: RunRowsOptions): Promise<RowResult[]> {
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

async function run({ probe }: DoctorRow, timeoutMs: number): Promise<Finding> {
  try {
    return await withTimeout(timeoutMs, probe);
  } catch (error) {
    const atStart = startErrors(error);
    if (atStart) return failed("the zone can't start", ...atStart);
    if (error instanceof TimeLimitError)
      return failed(error.message, "Try again. If it still fails, check the network.");
    if (outageOf(error) !== undefined) return skipped('the database can\'t be used: see "database reachable"');
    const name = error instanceof Error ? error.name : "an unknown error";
    return failed(`the probe failed with ${name}`, "This is a fault of the doctor, not of the configuration.");
  }
}

/** Returns the lines that the zone prints when its start ends with this error; undefined if it is no error of the start. */
function startErrors(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) return error.message.split("\n  - ").slice(1);
  return error instanceof Error && error.name === "FileProblemsError" ? error.message.split("\n") : undefined;
}

function advised({ advice }: DoctorRow, finding: Finding): Finding {
  const { status, todo, code = "other" } = finding;
  if (todo.length > 0 || !/warned|failed/.test(status)) return finding;
  const sentence = typeof advice === "string" ? advice : (advice?.[code] ?? advice?.["other"]);
  return sentence === undefined ? finding : { ...finding, todo: [sentence] };
}

/** A finding can contain names and codes of a peer, but nothing that looks like a token, or moves the cursor. */
const clean = (text: string): string => showUnseen(String(redact(text, { text: 600 })).replaceAll(/\s+/g, " "));

/** The table of one zone, before its rows run. */
export interface ZoneTable {
  readonly title: string;
  readonly rows: readonly DoctorRow[];
  /** Returns why a row is skipped; undefined if it runs. */
  readonly skip?: (row: DoctorRow) => string | undefined;
}

export interface DoctorOptions {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** First lines of `--help`: the usage, and what the doctor looks at. */
  readonly help: string;
  /** Called only when rows will run. */
  readonly tables: () => readonly ZoneTable[];
  /** The process that runs the doctor, as far as it uses it. */
  readonly on: {
    readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
    readonly stderr: { write(text: string): unknown };
    readonly env: Readonly<Record<string, string | undefined>>;
    exitCode?: number | string | null;
  };
  /** Timeout of one row, milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

const ending = `
  --json     print one JSON document
  --help     show this help

Marks: ✓ passed, ! warning, ✗ failed, – skipped, with the reason.
Exit code: 0 when no check failed, 1 when one failed, 2 usage error.
`;

/** Runs the doctor: parses its arguments, runs the rows, prints each result as it arrives, and sets the exit code. */
export async function runDoctor({ args, help, tables, on, timeoutMs = 15_000 }: DoctorOptions): Promise<void> {
  const { stdout, stderr, env } = on;
  const asked = readArgs(args);
  on.exitCode = asked === undefined ? 2 : 0;
  if (asked === undefined) return void stderr.write(`Invalid arguments: ${args.join(" ")}\n\n${help}${ending}`);
  if (asked.help) return void stdout.write(`${help}${ending}`);
  const print = (text: string): void => void (asked.json || stdout.write(text));
  const isLive = stdout.isTTY === true && !asked.json;
  // https://no-color.org
  const isColored = isLive && !env["NO_COLOR"];
  const sections: { title: string; checks: RowResult[] }[] = [];
  for (const { title, rows, skip } of tables()) {
    print(`${sections.length === 0 ? "" : "\n"}${title}\n`);
    const checks = await runRows(rows, {
      timeoutMs,
      skip,
      onStart: ({ name }) => isLive && stdout.write(`  … ${name}`),
      onResult: (result) => print(`${isLive ? "\r\u001B[2K" : ""}${lines(result, isColored)}`),
    });
    sections.push({ title, checks });
  }
  const all = sections.flatMap(({ checks }) => checks);
  const count = (status: RowResult["status"]): number => all.filter((check) => check.status === status).length;
  const ok = count("failed") === 0;
  const counts = `${count("passed")} passed, ${count("warned")} warnings, ${count("failed")} failed, ${count("skipped")} skipped`;
  print(`\n${ok ? "No problems found" : "Problems found"}: ${counts}.\n`);
  if (asked.json) stdout.write(`${JSON.stringify({ ok, sections }, undefined, 2)}\n`);
  on.exitCode = ok ? 0 : 1;
}

function readArgs(args: readonly string[]): { help?: boolean; json?: boolean } | undefined {
  try {
    const options = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined;
  }
}

const marks = { passed: "✓", warned: "!", failed: "✗", skipped: "–" } as const;
const colors = { passed: "green", warned: "yellow", failed: "red", skipped: "dim" } as const;

/** Width of the name column: that of the longest name plus two. */
const nameWidth = 23;

/** Returns the lines of one result: mark, name and finding, then what to do. */
function lines({ name, status, says, todo }: RowResult, isColored: boolean): string {
  const paint = (text: string): string =>
    isColored ? styleText(colors[status], text, { validateStream: false }) : text;
  const first = `  ${paint(marks[status])} ${name.padEnd(nameWidth)}${status === "skipped" ? paint(says) : says}`;
  return [first, ...todo.map((step) => `${" ".repeat(nameWidth + 4)}→ ${step}`), ""].join("\n");
}

/** Reads a zone's variables as its start does, and reports all problems at once, in the words of the start. */
export function readSettings<const D extends ConfigDefinition>(
  definition: D,
  load: (env: Environment) => LoadedConfig<D>,
  env: Environment,
) {
  const { values, files } = readConfig(definition, env);
  const started = attempt(() => load(env));
  const invalid = new Set("error" in started ? started.error.problems.map(({ name }) => name) : []);
  const names = variablesOf(definition).map(([name]) => name);
  const counts = `${names.length} variables, ${names.filter((name) => env[name] || env[`${name}_FILE`]).length} of them set`;
  /** Shows the problems that end the zone's start. */
  const row: DoctorRow = {
    name: "configuration",
    probe: () => {
      if ("error" in started) return failed(counts, ...(startErrors(started.error) ?? []));
      return started.warnings.length > 0 ? warned(counts, ...started.warnings) : passed(counts);
    },
  };
  return {
    row,
    /** The variables that could be read. A row names those that it needs. */
    values: values as ConfigValues<D>,
    /** Paths of the secrets that were read from files. */
    files,
    /** Returns why a row cannot run: a variable that it reads has a problem. */
    skip: ({ variables = [] }: DoctorRow): string | undefined => {
      const name = variables.find((variable) => invalid.has(variable));
      return name && `${name} has a problem, see "configuration"`;
    },
  };
}

function attempt<T>(load: () => T): T | { readonly error: ConfigError } {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return { error };
    throw error;
  }
}
