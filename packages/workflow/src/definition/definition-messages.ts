import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";

/** What the thread of definitions is asked. */
export type ToDefinitionThread =
  | { readonly type: "read"; readonly source: unknown; readonly agents: readonly string[] | undefined }
  /** Both as JSON. */
  | { readonly type: "check_input"; readonly schema: string; readonly input: string };

/** A definition that holds, or what is wrong with what was asked about. */
export interface FromDefinitionThread {
  readonly definition?: WorkflowDefinition;
  readonly problems: readonly ParamProblem[];
}
