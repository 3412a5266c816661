import type { Command, CommandGroup } from "../../../tools/cli/src/program/command.ts";
import { markdownTable } from "../generated-parts.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<").replaceAll("{", "\\{");

/** Returns the sections of the page of all commands: what each does, its options and its examples. */
export const commandSections = (groups: readonly CommandGroup[]): string =>
  groups.map(({ title, commands }) => [`## ${title}`, ...commands.map(sectionOf)].join("\n\n")).join("\n\n");

function sectionOf({ name, summary, operands, options, examples }: Command): string {
  const rows = Object.values(options).map(({ flags, help }) => [`\`${flags}\``, cell(help)]);
  const lines = examples.map(([line, what]) => `# ${what}\n${line}`);
  const usage = `\`${["crosszone", name, ...operands].join(" ")}\``;
  const table = rows.length === 0 ? [] : [markdownTable(["Option", "What it does"], rows)];
  return [`### ${name}`, cell(summary), usage, ...table, `\`\`\`sh\n${lines.join("\n")}\n\`\`\``].join("\n\n");
}
