import { parseArgs } from "node:util";
import { reportJson, resultLines, summaryLine, type DoctorOutput, type Section } from "./report.ts";
import { type Check, runChecks } from "./checks.ts";

/** The checks of one zone, before they run. */
export interface SectionPlan {
  readonly title: string;
  readonly checks: readonly Check[];
  /** Returns why a check is skipped; undefined if it runs. */
  readonly skip?: (check: Check) => string | undefined;
}

export interface DoctorOptions {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** First line of `--help`, e.g. `Usage: pnpm doctor [--json]`, and what it looks at. */
  readonly help: string;
  /** Called only when checks will run. */
  readonly plan: () => readonly SectionPlan[];
  readonly output: DoctorOutput;
  /** Timeout of one check, milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

const ending = `
  --json     print one JSON document
  --help     show this help

Marks: ✓ passed, ! warning, ✗ failed, – skipped, with the reason.
Exit code: 0 when no check failed, 1 when one failed, 2 usage error.
`;

/** Runs the doctor: parses its arguments, runs the checks, and prints each result as it arrives. Returns the exit code. */
export async function runDoctor({ args, help, plan, output, timeoutMs = 15_000 }: DoctorOptions): Promise<0 | 1 | 2> {
  const asked = readArgs(args);
  if (asked === undefined) {
    output.complain(`Invalid arguments: ${args.join(" ")}\n\n${help}${ending}`);
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
      onResult: (result) => print(`${lively ? "\r\u001B[2K" : ""}${resultLines(result, output.colors)}`),
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
