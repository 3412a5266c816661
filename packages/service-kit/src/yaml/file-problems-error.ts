/** A problem in a file. Lines and columns count from 1. */
export interface FileProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer to the member; empty if none. */
  readonly pointer: string;
  /** Without the value, which may be a misplaced secret. */
  readonly message: string;
}

/** Files are invalid. The message has a line for each problem, such as `agents.yaml:3:5: /agents/0/url is missing`. */
export class FileProblemsError extends Error {
  override readonly name = "FileProblemsError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    const files = [...new Set(problems.map(({ path }) => path))];
    const sorted = problems.toSorted(
      (a, b) => files.indexOf(a.path) - files.indexOf(b.path) || a.line - b.line || a.column - b.column,
    );
    const lines = sorted.map(({ path, line, column, pointer, message }) =>
      [`${path}:${line}:${column}:`, pointer, message].filter((word) => word !== "").join(" "),
    );
    super(lines.join("\n"));
    this.problems = sorted;
  }
}
