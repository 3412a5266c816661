import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export type Circle = "product" | "authors' tools" | "workshop" | "docs" | "data";

export interface Size {
  readonly files: number;
  /** Lines of source, with comments and blank lines. Prose and data count as files only. */
  readonly lines: number;
}

/** What each circle may weigh. A limit falls with each cut; decision 28 has a line for each that rose, with what left. */
const limits: Readonly<Record<Circle, Size>> = {
  product: { files: 752, lines: 100_606 },
  "authors' tools": { files: 161, lines: 11_894 },
  workshop: { files: 1_310, lines: 143_582 },
  docs: { files: 167, lines: 784 },
  data: { files: 263, lines: 10_852 },
};

const authorTools = "tools/(agent|conformance|create-crosszone|local)|tools/cli/src/agent-dev|kits";

/** The first pattern that matches a path decides its circle. */
const circles: readonly (readonly [pattern: RegExp, circle: Circle])[] = [
  [/\.(test|contract)\.tsx?$|\/(testing|testkit)\/|^(bench|dev|tests)\/|^vitest\.config\.ts$/, "workshop"],
  [
    /^\.(ci|devcontainer|github|changeset|vscode)\/|^\.(oxlintrc|prettier|gitignore|nvmrc)|^(tsconfig[^/]*|turbo\.json|knip\.json|crosszone)$/,
    "workshop",
  ],
  [/\/generated\/|^docs\/dashboards\/|^schemas\/|(^|\/)pnpm-lock\.yaml$/, "data"],
  [/^(docs|site)\/|^[^/]*\.md$|^LICENSE$/, "docs"],
  [new RegExp(`^(${authorTools}|examples)/`), "authors' tools"],
  [
    /^(apps|packages|tools|deploy)\/|^(compose|pnpm-workspace)[^/]*$|^package\.json$|^\.(dockerignore|env\.example)$/,
    "product",
  ],
];

const source = /\.(tsx?|css|html|m?js|py|go|sh)$/;

/** Returns the circle of a path, or `undefined`: a file that serves nobody we know. */
const circleOf = (path: string): Circle | undefined => circles.find(([pattern]) => pattern.test(path))?.[1];

/** Returns the size of each circle. */
export function weigh(paths: readonly string[]): Record<Circle, Size> {
  const sizes = Object.fromEntries(Object.keys(limits).map((circle) => [circle, { files: 0, lines: 0 }]));
  for (const path of paths) {
    const size = sizes[circleOf(path) ?? ""];
    if (size === undefined) continue;
    size.files += 1;
    if (source.test(path)) size.lines += readFileSync(resolve(root, path), "utf8").split("\n").length - 1;
  }
  return sizes as Record<Circle, Size>;
}

/** Returns one sentence for each file without a circle, and for each circle over its limit. */
export function findExcess(paths: readonly string[], sizes: Readonly<Record<Circle, Size>> = weigh(paths)): string[] {
  const unknown = paths.filter((path) => circleOf(path) === undefined);
  const over = (Object.keys(limits) as Circle[]).flatMap((circle) =>
    (["files", "lines"] as const)
      .filter((unit) => sizes[circle][unit] > limits[circle][unit])
      .map((unit) => {
        const [is, most] = [sizes[circle][unit], limits[circle][unit]].map((count) => count.toLocaleString("en"));
        return `${circle}: ${is} ${unit}, the limit is ${most}. Remove something, or raise the limit in dev/scripts/structure/circles.ts and say in decision 28 what it buys.`;
      }),
  );
  return [...unknown.map((path) => `${path} has no circle in dev/scripts/structure/circles.ts`), ...over];
}
