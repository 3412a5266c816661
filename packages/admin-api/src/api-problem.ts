import type { ParamProblem } from "@crosszone/contracts";

/** A kind of problem: its HTTP status and its fixed title. */
export interface ProblemKind {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
}

export interface ProblemDetail {
  readonly problems?: readonly ParamProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request. The message tells the sender what to do. Each part has its own table of kinds. */
export class ApiProblem extends Error {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  readonly problems: readonly ParamProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ kind, status, title }: ProblemKind, message: string, { problems, headers = {} }: ProblemDetail = {}) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.problems = problems;
    this.headers = headers;
  }
}
