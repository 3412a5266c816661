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

/** The menus of the top bar, each with those that its pages lead to: types, decisions and packages. */
const top: Readonly<Record<string, readonly string[]>> = {
  Start: [],
  Guides: [],
  Operate: [],
  Reference: ["Types"],
  Project: forContributors.filter((menu) => menu !== "Project"),
};

/** The top bar: each menu opens its first page, and is marked while a page of it, or of one that it leads to, is open. */
export const nav: { text: string; link: string; activeMatch: string }[] = Object.entries(top).map(([text, below]) => ({
  text,
  link: sidebar[addressOf(text)]?.[0]?.items[0]?.link ?? "/",
  activeMatch: `^(${[text, ...below].map(addressOf).join("|")})`,
}));
