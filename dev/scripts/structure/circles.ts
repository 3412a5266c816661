import { countLines } from "./sources.ts";

export type Circle = "product" | "authors' tools" | "workshop" | "docs" | "data";

export interface Size {
  readonly files: number;
  /** Lines of source, with comments and blank lines. Prose and data count as files only. */
  readonly lines: number;
}

const names: readonly Circle[] = ["product", "authors' tools", "workshop", "docs", "data"];

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

/** Returns the size of each circle. `linesOf` returns the number of lines of a file. */
export function weigh(paths: readonly string[], linesOf = countLines): Record<Circle, Size> {
  const sizes = Object.fromEntries(names.map((circle) => [circle, { files: 0, lines: 0 }]));
  for (const path of paths) {
    const size = sizes[circleOf(path) ?? ""];
    if (size === undefined) continue;
    size.files += 1;
    if (source.test(path)) size.lines += linesOf(path);
  }
  return sizes as Record<Circle, Size>;
}

/** Returns one sentence for each file without a circle. */
export const findStrays = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => circleOf(path) === undefined)
    .map((path) => `${path} has no circle in dev/scripts/structure/circles.ts`);
