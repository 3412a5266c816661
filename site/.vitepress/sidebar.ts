import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addressOf, forContributors, menus, root, siteFile } from "./pages.ts";

interface Item {
  readonly text: string;
  readonly link: string;
}

/** Returns a page of the repository as an item, named by its first heading. */
export function itemOf(file: string): Item {
  const heading = /^# (.*)$/m.exec(readFileSync(resolve(root, file), "utf8"))?.[1] ?? file;
  return { text: heading.replaceAll("`", ""), link: `/${(siteFile(file) ?? file).replace(/\.md$/, "")}` };
}

const groupsOf = (groups: (typeof menus)[string]): { text: string; items: Item[] }[] =>
  Object.entries(groups).map(([text, files]) => ({ text, items: files.map(itemOf) }));

/** The sidebar of each menu, by what the addresses of its pages begin with. */
export const sidebar: Record<string, ReturnType<typeof groupsOf>> = Object.fromEntries(
  Object.entries(menus).map(([menu, groups]) => [addressOf(menu), groupsOf(groups)]),
);

interface Menu {
  readonly text: string;
  readonly link: string;
  readonly activeMatch: string;
}

/** Returns a menu for the top bar: it opens its first page, and is marked while one of its pages is open. */
function navOf(text: string): Menu {
  const address = addressOf(text);
  return {
    text,
    link: sidebar[address]?.[0]?.items[0]?.link ?? "/",
    activeMatch: text === "Reference" ? "^/(reference|types)/" : `^${address}`,
  };
}

/** Types are reached from the reference, what only contributors read is behind one word. */
export const nav: (Menu | { text: string; items: Menu[] })[] = [
  ...["Start", "Guides", "Operate", "Reference"].map(navOf),
  { text: "Project", items: forContributors.map(navOf) },
];
