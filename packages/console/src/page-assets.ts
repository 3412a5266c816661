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

/** The packages that the page imports, by the name of their asset. Browsers don't resolve `node_modules`. */
const packaged = {
  "@crosszone/service-kit/text": "service-kit-text.js",
  "@dagrejs/dagre": "dagre.js",
  "eventsource-parser": "eventsource-parser/index.js",
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
} as const;
const parserFiles = ["index.js", "parse.js", "errors.js"] as const;

type NamedText = readonly [name: string, text: string];

const javascript = "text/javascript; charset=utf-8";

/** Returns all assets of the page by name. Only these names are served. */
export async function readPageAssets(): Promise<ReadonlyMap<string, Asset>> {
  const [own, styles, pictures, single, parser] = await Promise.all([
    readScripts(),
    readFolder(sources, ".css"),
    readFolder(sources, ".svg"),
    Promise.all(
      (["@crosszone/service-kit/text", "@dagrejs/dagre", "preact", "preact/hooks"] as const).map(readPackage),
    ),
    readParser(),
  ]);
  const asset =
    (contentType: string) =>
    ([name, body]: NamedText) =>
      [name, { contentType, body }] as const;
  return new Map([
    ...[...own, ...single, ...parser].map(asset(javascript)),
    ...styles.map(asset("text/css; charset=utf-8")),
    ...pictures.map(asset("image/svg+xml; charset=utf-8")),
  ]);
}

/** Returns the page's HTML: a shell without data, the same at every path. */
export const readShell = (): Promise<string> => readFile(new URL("index.html", sources), "utf8");

async function readScripts(): Promise<NamedText[]> {
  const files = await readFolder(scripts, isCompiled ? ".js" : ".ts");
  return files.map(([name, source]) => {
    if (isCompiled) return [name, withServedImports(source)];
    const body = stripTypeScriptTypes(source).replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"');
    return [name.replace(/\.ts$/, ".js"), withServedImports(body)];
  });
}

/** Reads a package that is one file, which may import others of `packaged`. */
async function readPackage(name: keyof typeof packaged): Promise<NamedText> {
  const file = import.meta.resolve(name);
  const source = await readFile(new URL(file), "utf8");
  const body = file.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
  return [packaged[name], withServedImports(body).replace(/\n\/\/# sourceMappingURL=.*/, "")];
}

function withServedImports(source: string): string {
  return source.replaceAll(/(from ?")([^."][^"]*)"/g, (whole, before: string, name: string) => {
    const served = packaged[name as keyof typeof packaged] as string | undefined;
    return served === undefined ? whole : `${before}/console/assets/${served}"`;
  });
}

function readParser(): Promise<NamedText[]> {
  const entry = import.meta.resolve("eventsource-parser");
  return Promise.all(
    parserFiles.map(
      async (file) => [`eventsource-parser/${file}`, await readFile(new URL(file, entry), "utf8")] as const,
    ),
  );
}

async function readFolder(folder: URL, extension: string): Promise<NamedText[]> {
  const names = await readdir(folder, { recursive: true });
  const wanted = names.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(extension));
  return Promise.all(wanted.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")] as const));
}
