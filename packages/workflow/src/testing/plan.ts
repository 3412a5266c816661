/** A step of an agent, with what else it has. */
export function agent(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, type: "agent", agent_name: "echo", input_mapping: {}, ...more };
}

/** A definition of these steps that begins with the first, with what else it has. */
export function plan(steps: Record<string, unknown>[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    workflow_id: "test",
    name: "Test",
    version: "1",
    start_step: steps[0]?.["id"],
    steps: Object.fromEntries(steps.map((step) => [step["id"], step])) as unknown,
    ...more,
  };
}
