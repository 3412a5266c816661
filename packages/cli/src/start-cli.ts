import { packageVersion } from "@crosszone/service-kit/modules";
import { createApiClient } from "./api/api-client.ts";
import { isApiFailure, RefusedError } from "./api/api-failure.ts";
import { zoneAddress } from "./api/zone-address.ts";
import { exitCodes, type Command, type ExitCode } from "./arguments/command.ts";
import { findCommand } from "./arguments/find-command.ts";
import { commandHelp, overview } from "./arguments/help.ts";
import { asksForHelp, parseCall } from "./arguments/parse-call.ts";
import { UsageError } from "./arguments/usage-error.ts";
import { commands } from "./commands/commands.ts";
import { harmless } from "./output/harmless.ts";
import { LeftError } from "./progress/follow-run.ts";
import type { Output, Session } from "./session.ts";

export interface CliOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly onInterrupt: Session["onInterrupt"];
  readonly onStop: Session["onStop"];
  readonly localCrosszone?: Session["localCrosszone"];
  /** How to get a zone; shown when none is configured. */
  readonly hint?: string;
}

/** Runs a command line and returns the exit code. Reports every expected error as a sentence on the standard error. */
export async function startCli(options: CliOptions): Promise<ExitCode> {
  const { argv, stdout, stderr } = options;
  let named: Command | undefined;
  try {
    if (argv.length === 0 || argv[0]?.match(/^(-h|--help|help)$/)) {
      stdout.write(overview(commands));
      return exitCodes.done;
    }
    if (argv[0] === "--version") {
      stdout.write(`${packageVersion(import.meta.url)}\n`);
      return exitCodes.done;
    }
    const { command, args } = findCommand(commands, argv);
    named = command;
    if (asksForHelp(args)) {
      stdout.write(commandHelp(command));
      return exitCodes.done;
    }
    return await command.run(parseCall(command, args), sessionOf(options, args));
  } catch (error) {
    return told(error, stderr, named);
  }
}

function sessionOf({ env, hint, ...streams }: CliOptions, args: readonly string[]): Session {
  return {
    ...streams,
    env,
    api: () => createApiClient(zoneAddress(env, hint)),
    isLive: canDraw(streams.stderr, env) && !args.includes("--json"),
  };
}

/** Whether lines can be redrawn in place. Some terminals report a width of 0 because they do not know it. */
function canDraw({ isTTY, columns }: Output, env: CliOptions["env"]): boolean {
  return isTTY === true && columns !== 0 && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

function told(error: unknown, stderr: Output, command: Command | undefined): ExitCode {
  if (error instanceof LeftError) {
    stderr.write(`Stopped watching: ${error.message}. To watch it again: crosszone runs watch.\n`);
    return exitCodes.left;
  }
  if (error instanceof UsageError) {
    stderr.write(`${harmless(error.message)}\n`);
    stderr.write(`For help: crosszone ${command ? `${command.name} ` : ""}--help\n`);
    return exitCodes.usage;
  }
  if (!isApiFailure(error)) throw error;
  stderr.write(`${harmless(error.message)}\n`);
  if (error instanceof RefusedError && error.kind === "unauthorized")
    stderr.write("CROSSZONE_TOKEN must be one of the zone's AGENT_ADMIN_TOKENS.\n");
  if (error instanceof RefusedError)
    for (const { pointer, message } of error.problems) stderr.write(`  ${harmless(`${pointer} ${message}`)}\n`);
  return exitCodes.refused;
}
