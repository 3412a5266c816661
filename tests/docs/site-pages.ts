import { resolve } from "node:path";

interface SitePages {
  readonly siteFile: (file: string) => string;
  readonly siteLink: (href: string, from: string) => string | undefined;
  readonly slugOf: (heading: string) => string;
}

interface Sidebar {
  readonly sidebar: readonly { readonly items: readonly { readonly link: string }[] }[];
}

export const root: string = resolve(import.meta.dirname, "../..");

// The site belongs to no package, so its modules are imported by path.
const pages = (await import(resolve(root, "site/.vitepress/pages.ts"))) as SitePages;
export const { siteFile, siteLink, slugOf } = pages;
export const { sidebar } = (await import(resolve(root, "site/.vitepress/sidebar.ts"))) as Sidebar;
