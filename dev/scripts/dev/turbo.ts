import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { type LogEvent, readLogLine, shownEvent } from "../../../tools/local/src/log-line.ts";

interface Formatting {
  /** Hides everything but warnings and errors. */
  readonly quiet: boolean;
  readonly color: boolean;
  /** Returns when everything was up, Unix milliseconds. Until then the same applies: what a zone reads at its start is no news. */
  readonly upAt?: () => number;
}

/**
 * Returns a formatter for lines of `turbo watch`: it drops turbo's own output and shortens the services' log lines. Undefined hides a line.
 */
export function createLineFormatter({
  quiet,
  color,
  upAt = () => 0,
}: Formatting): (line: string) => string | undefined {
  return (raw) => {
    const line = stripVTControlCharacters(raw);
    const [, name, text] = /^@crosszone\/([\w-]+):\w+: ?(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) return line.startsWith(" ERROR ") ? line.trim() : undefined;
    const label = name.padEnd(13);
    // Output of `node --watch` when a program ends.
    if (text.startsWith("Failed running ")) return `${label}The process stopped; see the lines above. ${again}`;
    const event = readLogLine(text);
    if (event === undefined) return isChatter(text) ? undefined : label + text;
    if (isRoutine(event, upAt()) || (quiet && event.level === "info")) return undefined;
    const { because } = event;
    if (event.event === "settings_not_usable" && typeof because === "string")
      return [
        ...because.split("\n"),
        `The settings of ${String(event["section"])} stay as they were until it is correct.`,
      ]
        .map((sentence) => label + sentence)
        .join("\n");
    return label + shownEvent(event, color);
  };
}

const again =
  "It starts again when you save a corrected source. For a variable or a file of settings, press Ctrl-C and start again.";

/**
 * Returns true for events that an author does not need: those of a start, those that the audit log has, and those that say that nothing
 * changed. Authors need the agents and workflows that an edit changes.
 */
function isRoutine(entry: LogEvent, upAt: number): boolean {
  const { event, level, time = 0 } = entry;
  if (level !== "info") return false;
  const outcomes = changes[String(event)];
  if (outcomes?.every((member) => [entry[member]].flat().every((value) => value === 0)) === true) return true;
  const routine = [
    "slack_identified",
    "stop_started",
    "stop_finished",
    "listening",
    "log_content",
    "model_connected",
    "model_not_connected",
    "ask_listening",
    "audit_opened",
    "audit_checkpoint",
    "token_created",
    "token_used",
  ];
  return new Date(time).getTime() < upAt || routine.includes(String(event));
}

/** Where an event says what changed: counts, or names. */
const changes: Readonly<Record<string, readonly string[]>> = {
  workflows_applied: ["created"],
  history_swept: ["asked", "missed", "refused"],
};

/** Returns true for output of pnpm, turbo and `node --watch` themselves, and for addresses, which the banner has. */
function isChatter(text: string): boolean {
  const tools =
    /^(cache (bypass|miss|hit)|\$ |> |npm warn|Completed running|Restarting|Change detected in|Gracefully restarted|Waiting for graceful)/;
  const node = /^\(node:\d+\) ExperimentalWarning|^\(Use `node --trace-warnings/;
  const addresses = /^(The (local Slack|sample agents) (is|are) at |generated \d+ files )/;
  return text.trim() === "" || [tools, node, addresses].some((form) => form.test(text));
}

/** Turbo starts the services with pnpm, which a program that starts this one directly need not have. */
const pnpm = ["npx", "--yes", "--prefer-offline", "pnpm@12.18.0", "--silent"];

const isInstalled = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Runs `turbo watch dev` in its own process group, so that stopping it leaves nothing behind. */
export function startTurbo(options: {
  root: string;
  env: Record<string, string>;
  packages: readonly string[];
  quiet: boolean;
}) {
  const filters = options.packages.map((name) => `--filter=@crosszone/${name}`);
  const watch = ["turbo", "watch", "dev", "--env-mode=loose", "--ui=stream", ...filters];
  const [program = "", ...args] = isInstalled("pnpm") ? watch : [...pnpm, "exec", ...watch];
  const child = spawn(program, args, {
    cwd: options.root,
    env: { ...process.env, ...options.env, TURBO_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let upAt = Infinity;
  let saidAt = 0;
  const format = createLineFormatter({ quiet: options.quiet, color: process.stdout.isTTY, upAt: () => upAt });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      saidAt = Date.now();
      const text = format(line);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    });

  let stopped = false;
  const ended = once(child, "exit").then(([code]) => Number(code ?? 1));
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group has already ended.
    }
  };
  return {
    /** Resolves with the exit code when all processes have ended. */
    ended,
    get stopped() {
      return stopped;
    },
    /** Returns when a service or turbo said something last, Unix milliseconds. */
    saidAt: () => saidAt,
    /** Prints that everything is up, and from now on what the services log. */
    announce: (text: string) => {
      upAt = Date.now();
      process.stdout.write(text);
    },
    stop: async () => {
      stopped = true;
      signalGroup("SIGINT");
      const hard = setTimeout(() => signalGroup("SIGKILL"), 8_000);
      await ended;
      clearTimeout(hard);
      signalGroup("SIGKILL");
    },
  };
}
