import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** A benchmark as a command. */
export interface BenchCommand<Options extends BenchOptions, Findings> {
  readonly name: string;
  /** The file in `docs` that `--write` writes. */
  readonly page: string;
  readonly usage: string;
  /** `undefined` when help was asked for. */
  readonly read: (args: readonly string[]) => Options | undefined;
  /** Measures; `progress` tells who waits how far it is. */
  readonly find: (options: Options, progress: (text: string) => void) => Promise<Findings>;
  readonly render: (findings: Findings) => string;
  /** The images of the page: SVG by file name, which `--write` writes to `docs/images`. */
  readonly draw?: (findings: Findings) => Readonly<Record<string, string>>;
  /** Whether something was found that must never be: the command ends with 1 then. */
  readonly isBroken?: (findings: Findings) => boolean;
}

interface BenchOptions {
  /** Everything as JSON on standard output, instead of the page. */
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
}

const docs = resolve(import.meta.dirname, "../../docs");

/** Runs a benchmark by the command line. */
export async function runBench<Options extends BenchOptions, Findings>(
  command: BenchCommand<Options, Findings>,
): Promise<void> {
  // Leaving on a signal runs the exit handlers, which end every worker.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  try {
    const options = command.read(process.argv.slice(2));
    if (options === undefined) {
      process.stdout.write(command.usage);
      return;
    }
    const findings = await command.find(options, (text) => process.stderr.write(text));
    const report = command.render(findings);
    process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : report);
    if (options.write) {
      writeFileSync(resolve(docs, command.page), report);
      for (const [name, svg] of Object.entries(command.draw?.(findings) ?? {}))
        writeFileSync(resolve(docs, "images", name), svg);
    }
    if (command.isBroken?.(findings)) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`\n${command.name}: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}
