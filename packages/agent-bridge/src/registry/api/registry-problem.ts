import type { ParamProblem } from "@crosszone/contracts";

/** What the registry refuses: the HTTP status, and a title that is the same for every refusal of the kind. */
export const problemTable = {
  malformed_request: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "An admin's token is needed" },
  api_off: { status: 404, title: "The registry's API is off" },
  not_found: { status: 404, title: "Nothing is here" },
  agent_not_found: { status: 404, title: "There is no agent of this name" },
  method_not_allowed: { status: 405, title: "The method is not served here" },
  name_taken: { status: 409, title: "There is an agent of this name already" },
  declared_in_file: { status: 409, title: "The agent is declared in a file" },
  changed_meanwhile: { status: 409, title: "The agent is changed by others at the same time" },
  agent_unreadable: { status: 409, title: "The agent's row cannot be read" },
  revision_mismatch: { status: 412, title: "The agent has been changed" },
  too_large: { status: 413, title: "The body is too large" },
  content_type: { status: 415, title: "The body is of a kind that is not read" },
  invalid_agent: { status: 422, title: "The agent's settings are not valid" },
  too_many: { status: 429, title: "Too many requests with this token" },
  internal: { status: 500, title: "Something went wrong here" },
  unavailable: { status: 503, title: "The database cannot be reached" },
} as const;

/** Which refusal it is; `problemTable` has its status and title. */
export type RegistryProblemKind = keyof typeof problemTable;

export interface RegistryProblemDetail {
  readonly problems?: readonly ParamProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the registry refuses. Its message is for the sender, and says what to do. */
export class RegistryProblem extends Error {
  override readonly name = "RegistryProblem";
  readonly kind: RegistryProblemKind;
  readonly problems: readonly ParamProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: RegistryProblemKind, message: string, { problems, headers = {} }: RegistryProblemDetail = {}) {
    super(message);
    this.kind = kind;
    this.problems = problems;
    this.headers = headers;
  }
}
