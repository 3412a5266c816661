import { readdir, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";

export interface Asset {
  readonly contentType: string;
  readonly body: string;
}

const sources = new URL("../src/browser/", import.meta.url);
/** The compiled page lies next to this file. When this file is TypeScript itself, the page is not compiled. */
const isCompiled = import.meta.url.endsWith(".js");
const scripts = isCompiled ? new URL("browser/", import.meta.url) : sources;

/** Where the packages that the page imports are served. Browsers don't resolve `node_modules`. */
const packaged: Readonly<Record<string, string>> = {
  "@crosszone/audit/verify": "audit-log/verify/index.js",
  "@crosszone/contracts/json": "contracts-json.js",
  "@crosszone/contracts/operations": "contracts-operations/index.js",
  "@crosszone/service-kit/text": "service-kit-text.js",
  "@dagrejs/dagre": "dagre.js",
  "@noble/ed25519": "noble-ed25519.js",
  "@noble/hashes/sha2.js": "noble-hashes/sha2.js",
  "eventsource-parser": "eventsource-parser/index.js",
  // What the verification of the audit log uses of it.
  "node:crypto": "audit/node-crypto.js",
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
};

/** The other files of packages that have several, from their entries. */
const parts: Readonly<Record<string, readonly string[]>> = {
  "@crosszone/audit/verify": ["../tree", "export-reader", "verify-audit"],
  "@crosszone/contracts/operations": ["generated/operations"],
  "@noble/hashes/sha2.js": ["_md", "_u64", "utils"],
  "eventsource-parser": ["parse", "errors"],
};

type NamedText = readonly [name: string, text: string];

const javascript = "text/javascript; charset=utf-8";

/** Returns all assets of the page by name. Only these names are served. */
export async function readPageAssets(): Promise<ReadonlyMap<string, Asset>> {
  const [own, styles, pictures, ...packages] = await Promise.all([
    readScripts(),
    readFolder(sources, ".css"),
    readFolder(sources, ".svg"),
    ...Object.keys(packaged)
      .filter((name) => !name.startsWith("node:"))
      .map(readPackage),
  ]);
  const asset =
    (contentType: string) =>
    ([name, body]: NamedText) =>
      [name, { contentType, body }] as const;
  return new Map([
    ...[...own, ...packages.flat()].map(asset(javascript)),
    ...styles.map(asset("text/css; charset=utf-8")),
    ...pictures.map(asset("image/svg+xml; charset=utf-8")),
  ]);
}

/** Returns the page's HTML: a shell without data, the same at every path. */
export const readShell = (): Promise<string> => readFile(new URL("index.html", sources), "utf8");

async function readScripts(): Promise<NamedText[]> {
  const files = await readFolder(scripts, isCompiled ? ".js" : ".ts");
  return files.map(([name, source]) => [name.replace(/\.ts$/, ".js"), served(source, !isCompiled)]);
}

/** Reads the files of a package, which may import others of `packaged`. */
async function readPackage(name: string): Promise<NamedText[]> {
  const entry = import.meta.resolve(name);
  const extension = entry.slice(entry.lastIndexOf("."));
  const at = new URL(packaged[name] ?? "", "page:/");
  const files = [undefined, ...(parts[name] ?? [])].map(async (part) => {
    const [from, to] = part === undefined ? [entry, at] : [`${part}${extension}`, new URL(`${part}.js`, at)];
    const source = await readFile(new URL(from, entry), "utf8");
    return [to.pathname.slice(1), served(source, extension === ".ts")] as const;
  });
  return Promise.all(files);
}

/** Returns a script as it is served: without types, and with the addresses of what it imports. */
function served(source: string, isTypeScript: boolean): string {
  const script = isTypeScript
    ? stripTypeScriptTypes(source).replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"')
    : source;
  return script
    .replaceAll(/(from ?")([^."][^"]*)"/g, (whole, before: string, name: string) => {
      const address = packaged[name];
      return address === undefined ? whole : `${before}/console/assets/${address}"`;
    })
    .replace(/\n\/\/# sourceMappingURL=.*/, "");
}

async function readFolder(folder: URL, extension: string): Promise<NamedText[]> {
  const names = await readdir(folder, { recursive: true });
  const wanted = names.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(extension));
  return Promise.all(wanted.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")] as const));
}
