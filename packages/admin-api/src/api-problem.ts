import type { ParamProblem } from "@crosszone/contracts";

/** One kind of refusal: the HTTP status, and a title that is the same for every refusal of the kind. */
export interface ProblemKind {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
}

export interface ProblemDetail {
  readonly problems?: readonly ParamProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the API refuses. Its message is for the sender, and says what to do. Each part has a table of its own kinds. */
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
