import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

const root = resolve(import.meta.dirname, "../..");

/** A command that a page shows behind `$ `, and what stands below it. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

const shown = /^\$ (.*)\n((?:(?!\$ |```).*\n)*)/gm;

/** All commands of a page, in their order. */
export function commandsOf(markdown: string): readonly ShownCommand[] {
  return [...markdown.matchAll(shown)].map(([, command = "", output = ""]) => ({ command, output }));
}

/**
 * The page with what its commands say when they are run, one after the other in one shell; ids, moments and spans as an ellipsis. `places` has
 * where that is what the page names.
 */
export async function retold(
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

/** `pnpm` and `npx -y pnpm@…` as a person has them, for the scripts that a page names. */
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

/** What parts the outputs; no command says it. */
const mark = "\u001e";

/** Runs commands in one shell, in the root of the repository, and gives what each said on both outputs. */
async function runCommands(
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const script = [scripts, ...commands.map((command) => `printf '\\036'\n{ ${command}\n} 2>&1`)].join("\n");
  const child = spawn("sh", ["-c", script], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ...env, NODE: process.execPath },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return said.split(mark).slice(1);
}

/** An output without what differs from run to run: ids, moments and spans. */
const steady = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":…')
    .replaceAll(/\(\d+ ms\)/g, "(… ms)")
    .replaceAll(/\b\d+\.\ds\b/g, "…s");

/** A line of a step on its way, in a terminal and in the chat: those that come at once may come as one, or not at all. */
const passing = /^(?:running {2,}|\s+[◐○✓✗–] )/;
/** What was done, above an answer in the chat: there when the answer took longer than a zone waits with it. */
const summary = /^(Crosszone: )[✓✗–○] .*\n\n {2}/gm;
const ended = /^(?:succeeded|skipped|failed|canceled) {2,}/;

/** An output as it is to be compared: of the steps on their way only which of them came to an end, and how. */
export function settled(output: string): { readonly rest: string; readonly steps: readonly string[] } {
  const lines = steady(output)
    .replaceAll(summary, "$1")
    .trim()
    .split("\n")
    .filter((line) => !passing.test(line));
  const steps = lines.filter((line) => ended.test(line)).map((line) => line.replace(/ \(.*\)$/, ""));
  return { rest: lines.filter((line) => !ended.test(line)).join("\n"), steps: [...new Set(steps)].toSorted() };
}
