import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { root } from "./site-pages.ts";

const textOf = (file: string): string => readFileSync(resolve(root, file), "utf8");
const find = (...patterns: readonly string[]): readonly string[] =>
  globSync(patterns, {
    cwd: root,
    exclude: (path) => /^(node_modules|dist|bundle|zones|packed|cache|cdk\.out)$/.test(path),
  });

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (file: string): Manifest => JSON.parse(textOf(file)) as Manifest;

/** Every name that would be ours in a registry: packages and commands of npm, the kits of Python and Go, the images. */
const names = new Set([
  ...find("{apps,dev,packages,tools}/*/package.json").flatMap((file) => {
    const { name, bin = {} } = manifestOf(file);
    return [name, ...Object.keys(bin)];
  }),
  /^name = "(.*)"$/m.exec(textOf("kits/python/pyproject.toml"))?.[1] ?? "",
  /^module (.*)$/m.exec(textOf("kits/go/go.mod"))?.[1] ?? "",
]);

/** A command that fetches packages by name, up to the end of the command. */
const fetches =
  /\b(?:npx|pnpx|bunx|uvx|pipx|(?:npm|pnpm|yarn|bun)\s+(?:i|in|install|add|create|init|exec|x|dlx|view|pack|update|up)|deno\s+(?:run|add|install)|(?:python3?\s+-m\s+)?pip3?\s+(?:install|download)|uv\s+(?:add|pip|tool|run)|poetry\s+add|go\s+(?:get|install|run)|docker\s+(?:pull|run)|brew\s+install)\b((?:[ \t]+[^\s`|;&<>]+)+)/g;

/** Returns the commands and links of a text that lead to one of our names in a registry. */
function fetchesOfOurs(text: string): readonly string[] {
  // A line that goes on, values that a program puts in, and the arguments in a list of a program.
  const flat = text
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/\$\{[^}]*\}/g, "…")
    .replaceAll(/,\s*`/g, " ")
    .replaceAll(/["',()[\]]+/g, " ")
    .replaceAll(/\bnpx (?:-\S+ )*pnpm@[\d.]+/g, "pnpm")
    .replaceAll(/\bnpx (?:-\S+ )*(?:-p|--package) (?:\S+\.tgz|…) \S+/g, "");
  const commands = [...flat.matchAll(fetches)];
  const links = [...text.matchAll(/\b(?:npmjs\.com\/package|pypi\.org\/project|hub\.docker\.com\/r)\/([@\w/.-]+)/g)];
  const isOurs = (word: string): boolean =>
    [...names].some((name) => word === name || word.startsWith(`${name}@`) || word.startsWith(`${name}/`)) ||
    /^(?:npm:|--package=|--with=)?@crosszone\//.test(word) ||
    /^(?:npm:)?(?:create-)?crosszone(?:[-@=~<>^].*)?$/.test(word) ||
    /^(?:[\w.-]+\/)*crosszone-(?:execution|verification|local-slack)(?::.*)?$/.test(word);
  return [
    ...commands.filter(([, words = ""]) => words.trim().split(/\s+/).some(isOurs)).map(([command]) => command),
    ...links.filter(([, name = ""]) => isOurs(name)).map(([link]) => link),
  ];
}

test.each([
  "npx crosszone validate a.yaml",
  'return ["npx", "-y", "-p", `@crosszone/local@^${version}`, "crosszone-local"];',
  "npm create crosszone my-team",
  "npm install --save-dev \\\n  typescript @crosszone/agent@latest",
  "python3 -m pip install crosszone-agent",
  "deno run npm:crosszone ask",
  "go get github.com/crosszone/crosszone/kits/go@latest",
  "docker pull ghcr.io/crosszone/crosszone-execution:0.1.0",
  "[Crosszone](https://www.npmjs.com/package/crosszone)",
])("Q1: a command that fetches a name of ours is found: %s", (text) => {
  expect(fetchesOfOurs(text)).toHaveLength(1);
});

test.each([
  "npm install ../crosszone/release/crosszone-agent.tgz express",
  "npx -y -p ./crosszone/release/create-crosszone.tgz create-crosszone my-team",
  "pip install ../crosszone/kits/python fastapi",
  'npm run crosszone runs; npm run chat "ask greeter: hello"',
])("Q1: a command that fetches others' names, or a file, is not: %s", (text) => {
  expect(fetchesOfOurs(text)).toEqual([]);
});

const shown = find(
  "*.{md,yaml}",
  "{crosszone,.ci/run,.env.example}",
  "{.changeset,.github}/**/*.{md,yml}",
  "site/.vitepress/**/*.{ts,vue,md}",
  "{apps,deploy,dev,docs,examples,kits,packages,schemas,site,tools}/**/*.{md,ts,tsx,js,mjs,json,yaml,yml,py,go,sh,html,toml,patch}",
  "{examples,packages}/**/{env,Dockerfile,requirements*.txt}",
).filter((file) => !file.endsWith(".test.ts"));

test("Q1: no page, README, example, template, kit or message fetches a name of ours from a registry", () => {
  expect(shown.length).toBeGreaterThan(500);
  const found = shown.flatMap((file) => fetchesOfOurs(textOf(file)).map((command) => `${file}: ${command}`));
  expect(found, "Show a command of the clone (./crosszone …), or a file that ./crosszone kit:pack makes.").toEqual([]);
});

test("Q1: what readers copy depends on packed files of ours only", () => {
  const copied = find("{examples,tools/*/template}/**/package.json");
  const ours = copied.flatMap((file) => {
    const { dependencies, devDependencies } = manifestOf(file);
    return Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => names.has(name));
  });
  expect(ours.length).toBeGreaterThan(2);
  expect(ours.filter(([, version]) => !/^(file|workspace):/.test(version))).toEqual([]);
  const modules = find("examples/**/go.mod").filter((file) => /crosszone\/kits\/go v/.test(textOf(file)));
  expect(modules.filter((file) => !/^replace .*kits\/go => \.\.?\//m.test(textOf(file)))).toEqual([]);
});
