import { ApiProblem, type ProblemDetail } from "@crosszone/admin-api";

/** What the registry refuses, beside what every part of the API does. */
export const registryProblems = {
  agent_not_found: { status: 404, title: "There is no agent of this name" },
  name_taken: { status: 409, title: "There is an agent of this name already" },
  declared_in_file: { status: 409, title: "The agent is declared in a file" },
  changed_meanwhile: { status: 409, title: "The agent is changed by others at the same time" },
  agent_unreadable: { status: 409, title: "The agent's row cannot be read" },
  revision_mismatch: { status: 412, title: "The agent has been changed" },
  invalid_agent: { status: 422, title: "The agent's settings are not valid" },
} as const;

/** Which refusal it is; `registryProblems` has its status and title. */
type RegistryProblemKind = keyof typeof registryProblems;

/** A request that the registry refuses. Its message is for the sender, and says what to do. */
export class RegistryProblem extends ApiProblem {
  constructor(kind: RegistryProblemKind, message: string, detail?: ProblemDetail) {
    super({ kind, ...registryProblems[kind] }, message, detail);
  }
}
