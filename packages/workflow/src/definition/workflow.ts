import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import type { Expressions } from "../expressions.ts";

/** A definition that holds. */
export interface Workflow {
  /** With the type of each step written out. */
  readonly definition: WorkflowDefinition;
  readonly expressions: Expressions;
  /** What input_schema says against an input, each problem at a JSON pointer within the input; empty when nothing. */
  readonly checkInput: (input: unknown) => readonly ParamProblem[];
}
