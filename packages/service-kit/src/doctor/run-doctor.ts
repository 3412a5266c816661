import { parseArgs } from "node:util";
import type { Check } from "./check.ts";
import { reportJson, resultLines, summaryLine, type Section } from "./report.ts";
import { runChecks } from "./run-checks.ts";

/** The checks of one zone, before they ran. */
export interface SectionPlan {
  readonly title: string;
  readonly checks: readonly Check[];
  /** Why a check shall not run; nothing when it shall. */
  readonly skip?: (check: Check) => string | undefined;
}

/** Where the report goes: standard output and standard error of the process. */
export interface DoctorOutput {
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** A person looks at it: progress is drawn, and colours are used. */
  readonly isTerminal: boolean;
  readonly colours: boolean;
}

export interface DoctorOptions {
  /** The words after the command's name. */
  readonly args: readonly string[];
  /** First line of `--help`, e.g. `Usage: pnpm doctor [--json]`, and what it looks at. */
  readonly help: string;
  /** Made only when checks are asked for. */
  readonly plan: () => readonly SectionPlan[];
  readonly output: DoctorOutput;
  /** How long one check may take, milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

const ending = `
  --json     print one JSON document instead of lines
  --help     print this

Marks: ✓ right, ! look at it, ✗ wrong, – skipped, with the reason.
Exit code: 0 when nothing is wrong, 1 when something is, 2 when the doctor was asked in a way that it does not understand.
`;

/** The command itself: reads its words, runs the checks, writes a line as each one ends. Gives the exit code. */
export async function runDoctor({ args, help, plan, output, timeoutMs = 15_000 }: DoctorOptions): Promise<0 | 1 | 2> {
  const asked = readArgs(args);
  if (asked === undefined) {
    output.complain(`This is not understood: ${args.join(" ")}\n\n${help}${ending}`);
    return 2;
  }
  if (asked.help) {
    output.write(`${help}${ending}`);
    return 0;
  }
  const lively = output.isTerminal && !asked.json;
  const print = (text: string): void => {
    if (!asked.json) output.write(text);
  };
  const sections: Section[] = [];
  for (const { title, checks, skip } of plan()) {
    print(`${sections.length === 0 ? "" : "\n"}${title}\n`);
    const results = await runChecks(checks, {
      timeoutMs,
      ...(skip && { skip }),
      onStart: ({ name }) => lively && output.write(`  … ${name}`),
      onResult: (result) => print(`${lively ? "\r\u001B[2K" : ""}${resultLines(result, output.colours)}`),
    });
    sections.push({ title, checks: results });
  }
  print(`\n${summaryLine(sections)}`);
  if (asked.json) output.write(reportJson(sections));
  return sections.some(({ checks }) => checks.some(({ status }) => status === "failed")) ? 1 : 0;
}

function readArgs(args: readonly string[]): { help: boolean; json: boolean } | undefined {
  try {
    const options = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    return { help: values.help === true, json: values.json === true };
  } catch {
    return undefined;
  }
}
