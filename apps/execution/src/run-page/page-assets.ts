import { readdir, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";

export interface Asset {
  readonly contentType: string;
  readonly body: string;
}

const sources = new URL("../../src/run-page/browser/", import.meta.url);
/** Beside this file lies what the compiler made of the page; where this file is itself TypeScript, nothing was compiled. */
const isCompiled = import.meta.url.endsWith(".js");
const scripts = isCompiled ? new URL("browser/", import.meta.url) : sources;

/** What the page imports from packages, by the name under which it is served. A browser knows no `node_modules`. */
const packaged = { "@dagrejs/dagre": "dagre.js", "eventsource-parser": "eventsource-parser/index.js" } as const;
const parserFiles = ["index.js", "parse.js", "errors.js"] as const;

const javascript = "text/javascript; charset=utf-8";

/** All files of the page by name: what is not here is not served, whatever a path looks like. */
export async function readPageAssets(): Promise<ReadonlyMap<string, Asset>> {
  const [own, styles, dagre, parser] = await Promise.all([
    readScripts(),
    readFolder(sources, ".css"),
    readFile(new URL(import.meta.resolve("@dagrejs/dagre")), "utf8"),
    readParser(),
  ]);
  return new Map([
    ...own.map(([name, body]) => [name, { contentType: javascript, body }] as const),
    ...styles.map(([name, body]) => [name, { contentType: "text/css; charset=utf-8", body }] as const),
    [packaged["@dagrejs/dagre"], { contentType: javascript, body: dagre }],
    ...parser.map(([name, body]) => [name, { contentType: javascript, body }] as const),
  ]);
}

/** The page without any data, the same for every run. */
export const readShell = (): Promise<string> => readFile(new URL("index.html", sources), "utf8");

async function readScripts(): Promise<(readonly [name: string, body: string])[]> {
  const files = await readFolder(scripts, isCompiled ? ".js" : ".ts");
  return files.map(([name, source]) => {
    if (isCompiled) return [name, withServedImports(source)];
    const body = stripTypeScriptTypes(source).replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"');
    return [name.replace(/\.ts$/, ".js"), withServedImports(body)];
  });
}

function withServedImports(source: string): string {
  return source.replaceAll(/(from ")([^."][^"]*)"/g, (whole, before: string, name: string) => {
    const served = packaged[name as keyof typeof packaged] as string | undefined;
    return served === undefined ? whole : `${before}/runs/assets/${served}"`;
  });
}

function readParser(): Promise<(readonly [name: string, body: string])[]> {
  const entry = import.meta.resolve("eventsource-parser");
  return Promise.all(
    parserFiles.map(
      async (file) => [`eventsource-parser/${file}`, await readFile(new URL(file, entry), "utf8")] as const,
    ),
  );
}

async function readFolder(folder: URL, extension: string): Promise<(readonly [name: string, text: string])[]> {
  const names = await readdir(folder, { recursive: true });
  const wanted = names.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(extension));
  return Promise.all(wanted.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")] as const));
}
