import { resolve } from "node:path";

interface SitePages {
  readonly menus: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly siteFile: (file: string) => string | undefined;
  readonly siteLink: (href: string, from: string) => string | undefined;
  readonly slugOf: (heading: string) => string;
}

interface Sidebar {
  readonly nav: readonly { readonly text: string }[];
  readonly sidebar: Readonly<Record<string, readonly { readonly items: readonly { readonly link: string }[] }[]>>;
}

export const root: string = resolve(import.meta.dirname, "../..");

// The site belongs to no package, so its modules are imported by path.
const pages = (await import(resolve(root, "site/.vitepress/pages.ts"))) as SitePages;
export const { menus, siteFile, siteLink, slugOf } = pages;
export const { nav, sidebar } = (await import(resolve(root, "site/.vitepress/sidebar.ts"))) as Sidebar;
