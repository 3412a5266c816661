/** One thing that is wrong in a file of agents. Lines and columns count from 1. */
export interface AgentsFileProblem {
  readonly line: number;
  readonly column: number;
  /** JSON pointer to the member; empty where it is none. */
  readonly pointer: string;
  /** Without what stands there, which may be a secret at the wrong place. */
  readonly message: string;
}

/** A file of agents cannot be used. The message has a line for each problem, as `agents.yaml:3:5: /agents/0/url is missing`. */
export class AgentsFileError extends Error {
  override readonly name = "AgentsFileError";
  readonly problems: readonly AgentsFileProblem[];

  constructor(path: string, problems: readonly AgentsFileProblem[]) {
    const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const lines = sorted.map(({ line, column, pointer, message }) =>
      [`${path}:${line}:${column}:`, pointer, message].filter((word) => word !== "").join(" "),
    );
    super(lines.join("\n"));
    this.problems = sorted;
  }
}
