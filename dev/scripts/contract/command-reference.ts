import type { Command, CommandGroup, CommandOption } from "../../../tools/cli/src/program/command.ts";
import { markdownTable } from "../generated-parts.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<").replaceAll("{", "\\{");

/** From how many commands on an option is explained once for all of them. */
const fewestCommands = 5;

/** How many commands a page has at most: a page of each group would say little. */
const mostCommands = 20;

const optionsOf = ({ options }: Command): CommandOption[] => Object.values(options);

function optionTable(options: readonly CommandOption[]): string {
  const rows = options.map(({ flags, help }) => [`\`${flags}\``, cell(help)]);
  return markdownTable(["Option", "What it does"], rows);
}

/** The reference of all commands: the options that many of them have, a table of all commands, and the text of each page of groups by its name. */
export function commandReference(
  groups: readonly CommandGroup[],
): Readonly<{ shared: string; commands: string; pages: Record<string, string> }> {
  const all = groups.flatMap(({ commands }) => commands.flatMap(optionsOf));
  const alike = Map.groupBy(all, ({ flags, help }) => `${flags} ${help}`);
  const shared = [...alike].filter(([, { length }]) => length >= fewestCommands);
  const isShared = ({ flags, help }: CommandOption): boolean => shared.some(([key]) => key === `${flags} ${help}`);
  const pages = new Map<string, CommandGroup[]>();
  for (const group of groups) {
    const [name = "", before = []] = [...pages].at(-1) ?? [];
    const isLong = [...before, group].flatMap(({ commands }) => commands).length > mostCommands;
    if (before.length === 0 || isLong) pages.set(`commands-${group.title.toLowerCase()}`, [group]);
    else pages.set(name, [...before, group]);
  }
  const rows = [...pages].flatMap(([page, shown]) =>
    shown.flatMap(({ commands }) =>
      commands.map(({ name, summary }) => [`[${name}](${page}.md#${name.replaceAll(" ", "-")})`, cell(summary)]),
    ),
  );
  const textOf = (shown: readonly CommandGroup[]): string => {
    const sections = shown.flatMap(({ title, commands }) => [
      `## ${title}`,
      ...commands.flatMap((command) => sectionOf(command, isShared)),
    ]);
    const titles = new Intl.ListFormat("en").format(shown.map(({ title }) => title.toLowerCase()));
    return [
      `# Commands: ${titles}`,
      "[Commands](commands.md) has a table of all commands, and explains the options that many of them share.",
      ...sections,
    ].join("\n\n");
  };
  return {
    shared: optionTable(shared.flatMap(([, [first]]) => first ?? [])),
    commands: markdownTable(["Command", "What it does"], rows),
    pages: Object.fromEntries([...pages].map(([page, shown]) => [page, textOf(shown)])),
  };
}

function sectionOf(command: Command, isShared: (option: CommandOption) => boolean): string[] {
  const { name, summary, operands, examples } = command;
  const { shared = [], own = [] } = Object.groupBy(optionsOf(command), (option) =>
    isShared(option) ? "shared" : "own",
  );
  const usage = ["crosszone", name, ...operands, ...shared.map(({ flags }) => `[${flags}]`)].join(" ");
  // The page of all commands says that --help shows what a command can do.
  const told = examples.filter(([line]) => line !== `crosszone ${name} --help`);
  const lines = told.map(([line, what]) => `# ${what}\n${line}`);
  return [
    `### ${name}`,
    cell(summary),
    `\`${usage}\``,
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(lines.length === 0 ? [] : [`\`\`\`sh\n${lines.join("\n")}\n\`\`\``]),
  ];
}
