/** Workflows across agents: definitions and what is wrong with them, templates, conditions, runs. */
export type { WorkflowDefinition } from "@crosszone/contracts";
