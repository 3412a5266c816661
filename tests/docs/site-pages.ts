import { resolve } from "node:path";

interface SitePages {
  readonly siteFile: (file: string) => string;
  readonly siteLink: (href: string, from: string) => string | undefined;
  readonly slugOf: (heading: string) => string;
}

interface Sidebar {
  readonly menus: readonly {
    readonly text: string;
    readonly groups: readonly { readonly items: readonly { readonly link: string }[] }[];
  }[];
  readonly sidebar: Readonly<Record<string, readonly unknown[]>>;
}

export const root: string = resolve(import.meta.dirname, "../..");

// The site belongs to no package, so its modules are imported by path.
const pages = (await import(resolve(root, "site/.vitepress/pages.ts"))) as SitePages;
export const { siteFile, siteLink, slugOf } = pages;
export const { menus, sidebar } = (await import(resolve(root, "site/.vitepress/sidebar.ts"))) as Sidebar;
