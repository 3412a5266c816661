import type { WorkflowRun } from "@crosszone/contracts";
import { asText } from "./as-text.ts";
import { stateText, takesOf } from "./duration.ts";
import { factsText } from "./facts-text.ts";
import { problemText } from "./problem-text.ts";
import { table } from "./table.ts";

/** Returns a run with its steps and output as text; `page` is the URL of its web page. */
export function runText(run: WorkflowRun, page: string): string {
  const { run_id, workflow_id, version, name, created_at, deadline, correlation_id, error, output } = run;
  const facts = factsText({
    run: run_id,
    workflow: `${workflow_id} ${version} (${name})`,
    state: stateText(run),
    deadline: run.ended_at === undefined ? deadline : undefined,
    error: error && problemText(error),
    created: created_at,
    correlation: correlation_id,
    page,
  });
  const steps = run.steps.map((step) => [
    step.path,
    step.state,
    step.agent_name ?? step.type,
    String(step.attempt),
    takesOf(step),
    step.error?.message ?? "",
  ]);
  const said = output === undefined ? "" : `\n${asText(output)}\n`;
  return `${facts}\n${table(["STEP", "STATE", "DONE BY", "ATTEMPT", "TOOK", "ERROR"], steps)}${said}`;
}
