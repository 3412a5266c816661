import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { TestRunner } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Commands that a page shows, and their output: a line after `$ ` with the output below it, or a block of commands before a block of output. */
const shown = /^\$ (.*)\n((?:(?!\$ |```).*\n)*)|^```sh\n((?:(?!```).*\n)+)```\n\n```\n((?:(?!```).*\n)*)```$/gm;

/** Returns all commands of a page and their outputs, in order. */
export function commandsOf(markdown: string) {
  return [...markdown.matchAll(shown)].map(([, line, below = "", block = "", output = below]) => ({
    command: line ?? block.trimEnd(),
    output,
  }));
}

type Places = Readonly<Record<string, string>>;

/** Returns a command with the real places instead of those on the page. */
export const there = (places: Places, command: string): string =>
  Object.entries(places).reduce((line, [named, real]) => line.replaceAll(named, real), command);

/** Returns an output with the places on the page instead of the real ones. */
export const back = (places: Places, output: string): string =>
  Object.entries(places).reduce((said, [named, real]) => said.replaceAll(real, named), output);

/**
 * Runs the commands of a page in one shell and returns the page with their output. Ids, timestamps and spans become an ellipsis. `places` maps URLs
 * on the page to real ones.
 */
export async function replayed(markdown: string, places: Places, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const outputs = await runCommands(
    commandsOf(markdown).map(({ command }) => there(places, command)),
    env,
  );
  let at = 0;
  return markdown.replaceAll(shown, (_all, ...[line, , block]: (string | undefined)[]) => {
    const output = steady(back(places, outputs[at++] ?? "")).trim();
    const below = output === "" ? "" : `${output}\n`;
    return block === undefined ? `$ ${line}\n${below}` : `\`\`\`sh\n${block}\`\`\`\n\n\`\`\`\n${below}\`\`\``;
  });
}

/** Writes a page with its real output if UPDATE_DOCS is set. Returns the command that does so, for the message about a page that differs. */
export function record(path: string, real: string): string {
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, real);
  const { projectName = "", filepath = "" } = TestRunner.getCurrentTest()?.file ?? {};
  const [mode] = projectName.split("-");
  // Turbo drops the variable, so no script of package.json can do it.
  return `To show the real output, run UPDATE_DOCS=1 ./crosszone exec vitest run --mode ${mode} --project ${projectName} ${relative(root, filepath)}`;
}

/** Separates the outputs. No command prints it. */
const mark = "\u001e";

/** Runs commands in one shell, in PWD or the root of the repository, and returns the output of each, both streams together. */
async function runCommands(commands: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const script = commands.map((command) => `printf '\\036'\n{ ${command}\n} 2>&1`).join("\n");
  const child = spawn("sh", ["-c", script], {
    cwd: env["PWD"] ?? root,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return said.split(mark).slice(1);
}

/** Returns an output without ids, tokens, timestamps and spans, which differ in each run. */
export const steady = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    // The beginnings of ids, as lists show them.
    .replaceAll(/(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4})?(?![\w-])/g, "…")
    .replaceAll(/\b[0-9a-f]{64}\b|(?<=#token=)[\w-]+|\bxz_[\w-]+/g, "…")
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| [\d:]+ UTC)/g, "…")
    .replaceAll(/\b(?:yesterday|today|tomorrow|[A-Z][a-z]{2} \d+, \d{4}) at \d+:\d\d\s[AP]M/g, "…")
    .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":…')
    // It names a row, whose number depends on what was stored meanwhile.
    .replaceAll(/"next_cursor":"[\w-]+"/g, '"next_cursor":"…"')
    .replaceAll(/\(\d+ ms\)/g, "(… ms)")
    .replaceAll(/\b\d+\.\d s\b/g, "… s")
    .replaceAll(/\b\d+(?:\.\ds|ms)\b/g, "…s")
    // The column is as wide as its longest time.
    .replaceAll(/\bTOOK +(?=\S)/g, "TOOK  ");

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
