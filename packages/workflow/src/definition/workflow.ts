import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import type { Expressions } from "../expressions/expressions.ts";

/** A valid definition. */
export interface Workflow {
  /** With explicit step types. */
  readonly definition: WorkflowDefinition;
  readonly expressions: Expressions;
  /** Returns the problems of an input, each with a JSON pointer into the input; empty when it matches input_schema. */
  readonly checkInput: (input: unknown) => readonly ParamProblem[];
}
