import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { CommandGroup } from "../program/command.ts";
import { startCli } from "../run-process.ts";
import { type FakeAnswers, startFakeZone, testToken } from "./fake-zone.ts";
import { cliArguments, startProgram } from "./start-program.ts";

interface CliOptions {
  /** Of the standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Other commands than the usual ones. */
  readonly groups?: readonly CommandGroup[];
}

const envOf = (url: string, env?: CliOptions["env"]) => ({
  CROSSZONE_URL: url,
  CROSSZONE_TOKEN: testToken,
  CROSSZONE_LINK_TOKEN: testToken,
  ...env,
});

/** Runs a command line in this process, without a terminal. */
export async function runCli(url: string, argv: readonly string[], { input = "", ...more }: CliOptions = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const told = Promise.all([text(stdout), text(stderr)]);
  const code = await startHere({ url, argv, stdout, stderr, input, ...more });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await told;
  return { code, out, err };
}

interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly pageToken?: string;
}

/** Runs a command line in this process on a terminal with color, and returns what both streams show there. */
export async function runOnTerminal(url: string, argv: readonly string[], options: TerminalOptions = {}) {
  const { columns = 80, ...more } = options;
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns, rows: columns && 24 });
  const shown = text(terminal);
  const code = await startHere({ url, argv, stdout: terminal, stderr: terminal, ...more });
  terminal.end();
  return { code, shown: await shown };
}

interface Here extends CliOptions, Pick<TerminalOptions, "pageToken"> {
  readonly url: string;
  readonly argv: readonly string[];
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

function startHere({ url, env, input, ...options }: Here): Promise<number> {
  const never = () => () => undefined;
  const stdin = Readable.from(input ? [input] : []);
  return startCli({ ...options, env: envOf(url, env), stdin, onInterrupt: never, onStop: never });
}

type Words = string | RegExp;

/** What comes of a command line. */
interface Outcome {
  readonly env?: CliOptions["env"];
  /** Answers for this command line alone. */
  readonly zone?: FakeAnswers;
  /** Default 0. */
  readonly code?: number;
  /** The whole standard output, a pattern in it, or several words and patterns; default: nothing. */
  readonly out?: Words | readonly Words[];
  /** The document that is the standard output. */
  readonly json?: object;
  /** As `out`. */
  readonly err?: Words | readonly Words[];
  /** The requests that change something, with their bodies; default: none. */
  readonly sends?: readonly (string | readonly [line: string, body: object])[];
}

/** The words of a line that have spaces are in double quotes. */
export type CommandCase = readonly [name: string, line: string, outcome: Outcome];

/** Runs each command line at a zone with these answers. */
export function testCommands(answers: FakeAnswers, cases: readonly CommandCase[]): void {
  test.each(cases)(
    "%s",
    async (_name, line, { env, code = 0, json, out = json ? [] : "", err = "", sends = [], ...more }) => {
      const zone = await startFakeZone({ ...answers, ...more.zone });
      const argv = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll(/^"|"$/g, ""));
      const told = await runCli(zone.url, argv, { env });
      for (const pattern of patternsOf(err)) expect(told.err).toMatch(pattern);
      expect(told.code).toBe(code);
      for (const pattern of patternsOf(out)) expect(told.out).toMatch(pattern);
      expect(json && (JSON.parse(told.out) as unknown)).toEqual(json);
      const changing = zone.requests.filter((request) => !request.line.startsWith("GET"));
      expect(changing.map(({ line: sent, body }) => (body === undefined ? sent : [sent, body]))).toEqual(sends);
    },
  );
}

function patternsOf(words: Words | readonly Words[]): RegExp[] {
  if (typeof words === "string") return [new RegExp(`^${RegExp.escape(words)}$`)];
  return [words].flat().map((each) => (typeof each === "string" ? new RegExp(RegExp.escape(each)) : each));
}

/** Starts the command line as a process of its own, without a terminal. */
export const startCliProcess = (url: string, argv: readonly string[], input?: string) =>
  startProgram(process.execPath, [...cliArguments, ...argv], { env: { ...envOf(url), NO_COLOR: "1" }, input });
