import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { prettyFactory } from "pino-pretty";

/**
 * Returns a formatter for lines of `turbo watch`: it drops turbo's own output and shortens the services' log lines. Undefined hides a line.
 */
export function createLineFormatter(quiet: boolean, color: boolean): (line: string) => string | undefined {
  const pretty = prettyFactory({
    colorize: color,
    singleLine: true,
    messageKey: "event",
    ignore: "pid,hostname,zone",
    translateTime: "SYS:HH:MM:ss",
    minimumLevel: quiet ? "warn" : "info",
  });
  return (raw) => {
    const line = stripVTControlCharacters(raw);
    const [, name, text] = /^@crosszone\/([\w-]+):\w+: ?(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) return line.startsWith(" ERROR ") ? line.trim() : undefined;
    const label = name.padEnd(13);
    // Output of `node --watch` when a program ends.
    if (text.startsWith("Failed running ")) return `${label}The process stopped; see the lines above. ${again}`;
    if (!text.startsWith("{")) return isChatter(text) ? undefined : label + text;
    const event = parsed(text);
    if (isRoutine(event)) return undefined;
    const { because } = event;
    if (event.event === "agents_file_not_usable" && typeof because === "string")
      return [...because.split("\n"), "The agents of this file stay as they were until it is correct."]
        .map((sentence) => label + sentence)
        .join("\n");
    const shown = pretty(text)?.trimEnd();
    return shown ? label + shown : undefined;
  };
}

const again = "It starts again when you save a corrected file. For a variable, press Ctrl-C and start again.";

interface LogEvent {
  readonly event?: unknown;
  readonly level?: unknown;
  readonly because?: unknown;
}

function parsed(text: string): LogEvent {
  try {
    return JSON.parse(text) as LogEvent;
  } catch {
    return {};
  }
}

/** Returns true for start-up events of the zones that an author does not need. Authors need the agents and workflows. */
function isRoutine({ event, level }: LogEvent): boolean {
  const routine = [
    "policy_in_force",
    "slack_identified",
    "stop_started",
    "stop_finished",
    "listening",
    "ask_listening",
  ];
  return (level === "info" || level === 30) && routine.includes(String(event));
}

/** Returns true for output of pnpm, turbo and `node --watch` themselves. */
function isChatter(text: string): boolean {
  return text.trim() === "" || /^(cache (bypass|miss|hit)|\$ |> |npm warn|Completed running|Restarting)/.test(text);
}

/** Runs `turbo watch dev` in its own process group, so that stopping it leaves nothing behind. */
export function startTurbo(options: {
  root: string;
  env: Record<string, string>;
  packages: readonly string[];
  quiet: boolean;
}) {
  const filters = options.packages.map((name) => `--filter=@crosszone/${name}`);
  const child = spawn("turbo", ["watch", "dev", "--env-mode=loose", "--ui=stream", ...filters], {
    cwd: options.root,
    env: { ...process.env, ...options.env, TURBO_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const format = createLineFormatter(options.quiet, process.stdout.isTTY);
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
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
