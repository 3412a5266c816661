import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { executionConfig } from "@crosszone/execution";
import type { ConfigDefinition } from "@crosszone/service-kit";
import { executionEvents, metrics, verificationEvents } from "@crosszone/telemetry";
import { verificationConfig } from "@crosszone/verification";
import { expect, test } from "vitest";
import { slugOf } from "./site-pages.ts";

const root = resolve(import.meta.dirname, "../..");
const readmes = "{apps/*,bench,dev/*,packages/*,tools/*}/README.md";
const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md", readmes, "kits/**/*.md"], { cwd: root });
const textOf = (page: string): string => readFileSync(resolve(root, page), "utf8");

/** Back-ticked words that look like a path of this repository. */
const isPath = (word: string): boolean =>
  /^(apps|dev|packages|kits|schemas|docs.tests|examples|\.ci)\/[\w./-]*$/.test(word) ||
  /^(\.env\.example|turbo\.json|package\.json|\.oxlintrc\.json)$/.test(word);

test.each(pages)("every path and link in %s leads somewhere", (page) => {
  const text = textOf(page);
  const paths = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word).filter(isPath);
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^https?:/.test(link));
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  expect(links.filter((link) => !existsSync(resolve(root, dirname(page), link)))).toEqual([]);
});

/** The anchors of a page's headings, as GitHub and the site make them; code blocks have none. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [
      ...textOf(page)
        .replaceAll(/^```[^]*?^```/gm, "")
        .matchAll(/^#{1,6} (.*)$/gm),
    ].map(([, heading = ""]) => slugOf(heading)),
  );

test.each(pages)("every link of %s to a heading leads to one", (page) => {
  const links = [...textOf(page).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)];
  const lost = links.filter(([, file = "", anchor = ""]) => {
    const target = file === "" ? page : join(dirname(page), file);
    return !anchorsOf(target).has(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

test("every pnpm command in the docs is a script, or one of pnpm's own", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const known = new Set([...Object.keys(scripts), "exec", "node", "install"]);
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?:`|-y )pnpm(?:@[\d.]+)? (?:run )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("the metrics that operations and the dashboard show exist", () => {
  const shown = [
    ...textOf("docs/operations.md").matchAll(
      /`(\w+_(?:total|seconds)|questions_in_work|inbox_questions|tasks_running)`/g,
    ),
    ...textOf("docs/dashboards/crosszone.json").matchAll(/\b([a-z_]+?)(?:_bucket|_sum|_count)?(?=\{|\[)/g),
  ].map(([, name = ""]) => name);
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((name) => !/^(nodejs|process)_/.test(name) && !Object.hasOwn(metrics, name))).toEqual([]);
});

const events = Object.keys({ ...verificationEvents, ...executionEvents });

test("every listed log event is logged, and operations shows no other", () => {
  const sources = globSync("{apps,packages,tools}/*/src/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !file.startsWith("packages/telemetry/"),
  );
  const written = sources.map(textOf).join("\n");
  expect(events.filter((event) => !written.includes(`"${event}"`))).toEqual([]);

  const shown = [
    ...textOf("docs/operations.md").matchAll(
      /`((?:task|rpc|slack_request|event)_(?:failed|retried|refused|ignored))`/g,
    ),
  ].map(([, name = ""]) => name);
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((name) => !events.includes(name))).toEqual([]);
});

test("operations says what each log event of workflows means", () => {
  const ofWorkflows = events.filter((event) => /^(runs?|step|task_run|workflows)_/.test(event));
  expect(ofWorkflows.length).toBeGreaterThan(9);
  expect(ofWorkflows.filter((event) => !textOf("docs/operations.md").includes(`\`${event}\``))).toEqual([]);
});

test("every word of the code that a page shows is still one: log events, reasons, members, kinds", () => {
  const sources = [
    "{apps,dev,packages,tools}/*/src/**/*.ts",
    "kits/python/*/*.py",
    "apps/*/*.json",
    "schemas/**/*.json",
  ];
  const written = globSync(sources, { cwd: root })
    .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("schemas/fixtures/"))
    .map(textOf)
    .join("\n");
  const known = new Set(written.match(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g));
  const shown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g)].map(([, word = ""]) => word),
  );
  // Metrics are compared with what is served.
  const words = shown.filter((word) => !/^test_|_(total|seconds)$/.test(word) && word !== "node_modules");
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word) => !known.has(word))).toEqual([]);
});

const both = { ...verificationConfig, ...executionConfig };
/** The variables of other programs that the pages name. */
const ofOthers = new Set([
  "CROSSZONE_TOKEN",
  "CROSSZONE_URL",
  "CROSSZONE_VERIFICATION_URL",
  "TEST_SEED",
  "NODE_EXTRA_CA_CERTS",
]);

test.each<[page: string, least: number, known: ConfigDefinition]>([
  ["bus", 6, executionConfig],
  ["durability", 5, both],
  ["limits", 15, both],
  ["operations", 15, both],
  ["runtimes", 6, both],
  ["tables", 5, both],
  ["troubleshooting", 11, both],
  ["workflows", 8, executionConfig],
])("every variable in docs/%s.md exists", (page, least, known) => {
  const names = [...textOf(`docs/${page}.md`).matchAll(/`([A-Z][A-Z_]{5,})(?:=[^`]*)?`/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThanOrEqual(least);
  const isKnown = (name: string): boolean =>
    ofOthers.has(name) || Object.hasOwn(known, name) || Object.hasOwn(known, name.replace(/_FILE$/, ""));
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});

/** A default as configuration has it, of one as a person reads it: `3 s` is 3000, `16 KB` is 16384, `10,000` is 10000. */
const configured = (shown: string): number => {
  const [, digits = "", unit = ""] = /^([\d,]+) ?(s|KB|MB)?$/.exec(shown) ?? [];
  return Number(digits.replaceAll(",", "")) * ({ s: 1_000, KB: 1_024, MB: 1_048_576 }[unit] ?? 1);
};

test("every limit on the page has the default and the zone of its variable", () => {
  const rows = [...textOf("docs/limits.md").matchAll(/^\| [^|]+ \| `([A-Z_]+)` +\| ([^|]+?) +\| (\w+) +\|/gm)];
  const zones: Record<string, ConfigDefinition> = { verification: verificationConfig, execution: executionConfig };
  expect(rows.length).toBeGreaterThan(15);
  const shown = rows.map(([, name = "", value = "", zone = ""]) => [name, configured(value), zone]);
  const real = shown.map(([name = ""]) => {
    const having = Object.entries(zones).flatMap(([zone, entries]) => {
      const entry = entries[name];
      return entry
        ? [
            {
              zone,
              value: "schema" in entry ? entry.schema.parse(entry.default) : "constant" in entry && entry.constant,
            },
          ]
        : [];
    });
    return [name, having[0]?.value, having.length === 2 ? "both" : having[0]?.zone];
  });
  expect(shown).toEqual(real);
});
