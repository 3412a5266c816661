import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "prettier";
import { requirements } from "./requirements.ts";

const root = resolve(import.meta.dirname, "..");
const tests = [
  "{apps,dev,packages,tools}/*/src/**/*.{test,contract}.ts",
  "dev/testkit/src/*.ts",
  "dev/scripts/**/*.test.ts",
  "{bench,tests/docs,tests/e2e,tests/external,tests/full}/**/*.test.ts",
];

/** The levels, each with what tells a test of it: the first that matches a path or a text decides. */
const levels: readonly (readonly [level: string, path: RegExp, text?: RegExp])[] = [
  ["contract", /\.contract\.ts$|^dev\/testkit\/src\/[\w-]+\.ts$/],
  ["simulation", /^tests\/full\/simulation/],
  ["chaos", /^tests\/full\/chaos/],
  ["browser", /^tests\/full\//, /use-browser|playwright/],
  ["whole", /^tests\/(full|external)\//],
  ["two zones", /^tests\/e2e\//, /dev-slack|[sS]lack/],
  ["zone", /^tests\/e2e\//],
  ["zone", /^apps\//, /\/testing(\/start-[\w-]+)?\.ts"/],
  ["unit", /./],
];

const order = ["unit", "contract", "zone", "two zones", "whole", "browser", "chaos", "simulation"];

/** Returns the levels of each promise that a test cites at the start of its title: `Z3, Z4: …`. */
export function citedPromises(): ReadonlyMap<string, ReadonlySet<string>> {
  const cited = new Map<string, Set<string>>();
  for (const file of globSync(tests, { cwd: root, exclude: ["**/node_modules/**"] })) {
    const source = readFileSync(resolve(root, file), "utf8");
    const [level = ""] = levels.find(([, path, text]) => path.test(file) && text?.test(source) !== false) ?? [];
    for (const [, ids = ""] of source.matchAll(/["'`]((?:[A-Z]\d+(?:\.\d+|[a-z])?(?:, )?)+): /g))
      for (const id of ids.split(", ")) cited.set(id, (cited.get(id) ?? new Set()).add(level));
  }
  return cited;
}

/** Returns the text of `tests/README.md`. */
export function promisesPage(): Promise<string> {
  const cited = citedPromises();
  const rows = Object.entries(requirements).map(([id, promise]) => [
    id,
    promise.replaceAll("|", "\\|"),
    ...order.map((level) => (cited.get(id)?.has(level) === true ? "●" : "")),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["", "Promise", ...order];
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  const text = `<!-- written by dev/scripts/generate-docs.ts, do not edit -->

# Tests

Find a test by what it proves: \`git grep "Z9"\` finds each test of a promise, because titles begin with the ids that they prove.

- **unit**: beside the source. **contract**: one suite that every implementation of a port runs.
- **zone**: one zone as it starts. **two zones**: both, with a local Slack (\`tests/e2e\`).
- **whole**: packages, images, brokers, kits and software of others (\`tests/full\`, \`tests/external\`). **browser**: real pages.
- **chaos**: killed processes (\`tests/chaos\`). **simulation**: a virtual clock and a seed (\`tests/sim\`).

A promise is proven at the lowest level that can break it. A test of a higher level stays if it fails for a fault that no lower one sees: break the code to find out.

${table}
`;
  return format(text, { parser: "markdown", printWidth: 120 });
}
