/** Returns an agent step with further members. */
export function agent(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, type: "agent", agent_name: "echo", input_mapping: {}, ...more };
}

/** Returns a definition of these steps that starts with the first, with further members. */
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
