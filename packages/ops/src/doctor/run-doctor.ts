import { parseArgs, styleText } from "node:util";
import { type Row, type RowResult, runRows } from "./table.ts";

/** The table of one zone, before its rows run. */
export interface ZoneTable {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Returns why a row is skipped; undefined if it runs. */
  readonly skip?: (row: Row) => string | undefined;
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
