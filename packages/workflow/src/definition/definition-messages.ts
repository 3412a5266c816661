import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";

/** Messages to the definition thread. */
export type ToDefinitionThread =
  | { readonly type: "read"; readonly source: unknown; readonly agents: readonly string[] | undefined }
  /** Both as JSON. */
  | { readonly type: "check_input"; readonly schema: string; readonly input: string };

/** A valid definition, or the problems of the definition or the input. */
export interface FromDefinitionThread {
  readonly definition?: WorkflowDefinition;
  readonly problems: readonly ParamProblem[];
}
