import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

const root = resolve(import.meta.dirname, "../..");

/** A command that a page shows after `$ `, and the output below it. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

const shown = /^\$ (.*)\n((?:(?!\$ |```).*\n)*)/gm;

/** Returns all commands of a page, in order. */
export function commandsOf(markdown: string): readonly ShownCommand[] {
  return [...markdown.matchAll(shown)].map(([, command = "", output = ""]) => ({ command, output }));
}

/**
 * Runs the commands of a page in one shell and returns the page with their output. Ids, timestamps and spans become an ellipsis. `places` maps URLs
 * on the page to real ones.
 */
export async function replayed(
  markdown: string,
  places: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const there = (command: string): string =>
    Object.entries(places).reduce((line, [named, real]) => line.replaceAll(named, real), command);
  const back = (output: string): string =>
    Object.entries(places).reduce((said, [named, real]) => said.replaceAll(real, named), output);
  const outputs = await runCommands(
    commandsOf(markdown).map(({ command }) => there(command)),
    env,
  );
  let at = 0;
  return markdown.replaceAll(shown, (_all, command: string) => {
    const output = steady(back(outputs[at++] ?? "")).trim();
    return `$ ${command}\n${output === "" ? "" : `${output}\n`}`;
  });
}

/** Defines `pnpm` and `npx -y pnpm@…` for the scripts that a page names. */
const scripts = `
pnpm() {
  script=$1
  shift
  case $script in
    crosszone) "$NODE" --conditions=@crosszone/source packages/cli/src/main.ts "$@" ;;
    chat) "$NODE" --conditions=@crosszone/source dev/slack/src/chat/main.ts "$@" ;;
    *) echo "no script of a page: $script" ;;
  esac
}
npx() {
  shift 2
  pnpm "$@"
}
`;

/** Separates the outputs. No command prints it. */
const mark = "\u001e";

/** Presses the button for which the command before it waits: both run at once. */
const isPress = (command = ""): boolean => / --press /.test(command);

/** Returns the lines of a script that runs a command, both streams together, after a mark. */
function scriptOf(command: string, at: number, commands: readonly string[]): string {
  const run = `{ ${command}\n}`;
  if (isPress(commands[at + 1])) return `beside=$(mktemp)\n${run} > "$beside" 2>&1 &`;
  if (!isPress(command)) return `printf '\\036'\n${run} 2>&1`;
  const printed = `printf '\\036'; cat "$beside"; printf '\\036'; cat "$pressed"; rm "$beside" "$pressed"`;
  // The person reads what the other command prints before they press.
  return `pressed=$(mktemp)\nsleep 4\n${run} > "$pressed" 2>&1\nwait\n${printed}`;
}

/** Runs commands in one shell, in the root of the repository, and returns the output of each, both streams together. */
async function runCommands(
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const script = [scripts, ...commands.map(scriptOf)].join("\n");
  const child = spawn("sh", ["-c", script], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ...env, NODE: process.execPath },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return said.split(mark).slice(1);
}

/** Returns an output without ids, timestamps and spans, which differ in each run. */
const steady = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "…")
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| [\d:]+ UTC)/g, "…")
    .replaceAll(/\b(?:yesterday|today|tomorrow|[A-Z][a-z]{2} \d+, \d{4}) at \d+:\d\d\s[AP]M/g, "…")
    .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":…')
    .replaceAll(/\(\d+ ms\)/g, "(… ms)")
    .replaceAll(/\b\d+\.\d s\b/g, "… s")
    .replaceAll(/\b\d+(?:\.\ds|ms)\b/g, "…s");

/**
 * A progress line of a step, in a terminal or the chat. Simultaneous lines may be merged or left out. The chat shows the title of the steps only if
 * the work took longer than a zone waits with it.
 */
const passing = /^(?:running {2,}|\s+[◐○✓✗–] |\s+Paused after .*$)/;
/** The summary of the steps above an answer in the chat. It exists if the answer took longer than a zone waits with it. */
const summary = /^(Crosszone: )[✓✗–○] .*\n\n {2}/gm;
const ended = /^(?:succeeded|skipped|failed|canceled) {2,}/;

/** Returns an output in a comparable form. Of the progress lines, only the ends of the steps are kept. */
export function settled(output: string): { readonly rest: string; readonly steps: readonly string[] } {
  const lines = steady(output)
    .replaceAll(summary, "$1")
    .trim()
    .split("\n")
    .filter((line) => !passing.test(line));
  const steps = lines.filter((line) => ended.test(line)).map((line) => line.replace(/ \(.*\)$/, ""));
  return { rest: lines.filter((line) => !ended.test(line)).join("\n"), steps: [...new Set(steps)].toSorted() };
}
