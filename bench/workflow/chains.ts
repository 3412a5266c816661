import type { WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import { namesOf, type AgentGroupName } from "../agents/agents.ts";

/** How soon the agents of a run answer, and the groups that do. */
const groups = {
  "at once": ["at once", "at once, simple"],
  "in 20 ms": ["in 20 ms", "in 20 ms, simple"],
} as const satisfies Record<string, readonly AgentGroupName[]>;

export type Pace = keyof typeof groups;
export const paces = Object.keys(groups) as Pace[];

/** Steps of a run, one after another. */
export const stepsInRun = 5;
/** Different chains, so that runs do not all call the same agent at once. */
export const chainCount = 20;

/** The text of each first agent; the others receive the answer of the agent before them. */
export const firstText = "What is the capital of Peru? ".repeat(8);

/** The agent of each step: alternating protocols, and other agents in each chain. */
export function chainOf(pace: Pace, chain: number): readonly string[] {
  return Array.from({ length: stepsInRun }, (_, step) => {
    const names = namesOf(groups[pace][step % 2] ?? pace);
    return names[(chain + step) % names.length] ?? "";
  });
}

export const chainId = (pace: Pace, chain: number): string => `${pace.replaceAll(" ", "-")}-${String(chain)}`;

/** Every workflow that the benchmark runs. */
export function definitions(): readonly WorkflowDefinition[] {
  return paces.flatMap((pace) => Array.from({ length: chainCount }, (_, chain) => chainDefinition(pace, chain)));
}

function chainDefinition(pace: Pace, chain: number): WorkflowDefinition {
  const steps = chainOf(pace, chain).map((agent_name, index, all): WorkflowStep => {
    const text = index === 0 ? "${workflow.input.text}" : `\${s${String(index - 1)}.output.text}`;
    const next_step = index + 1 < all.length ? `s${String(index + 1)}` : null;
    return { id: `s${String(index)}`, type: "agent", agent_name, input_mapping: { text }, next_step };
  });
  const id = chainId(pace, chain);
  return {
    workflow_id: id,
    name: id,
    version: "1.0.0",
    start_step: "s0",
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
    output_mapping: { text: `\${s${String(stepsInRun - 1)}.output.text}` },
  };
}
