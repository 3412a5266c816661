import type { WorkflowRun } from "@crosszone/contracts";
import { asText } from "./as-text.ts";
import { takesOf, tookOf } from "./duration.ts";
import { harmlessLine } from "./harmless.ts";
import { problemText } from "./problem-text.ts";
import { table } from "./table.ts";

/** A run with its steps and its output, for people; `page` is where it is a picture. */
export function runText(run: WorkflowRun, page: string): string {
  const { run_id, workflow_id, version, name, state, created_at, deadline, correlation_id, error, output } = run;
  const facts = [
    ["run", run_id],
    ["workflow", `${workflow_id} ${version} (${name})`],
    ["state", state + (tookOf(run) && ` after ${tookOf(run)}`)],
    ...(run.ended_at === undefined && deadline !== undefined ? [["deadline", deadline]] : []),
    ...(error ? [["error", problemText(error)]] : []),
    ["created", created_at],
    ["correlation", correlation_id],
    ["page", page],
  ];
  const steps = run.steps.map((step) => [
    step.path,
    step.state,
    step.agent_name ?? step.type,
    String(step.attempt),
    takesOf(step),
    step.error?.message ?? "",
  ]);
  const said = output === undefined ? "" : `\n${asText(output)}\n`;
  const width = Math.max(...facts.map(([label = ""]) => label.length)) + 2;
  const lines = facts.map(([label = "", value = ""]) => `${label.padEnd(width)}${harmlessLine(value)}\n`).join("");
  return `${lines}\n${table(["STEP", "STATE", "DONE BY", "ATTEMPT", "TOOK", "ERROR"], steps)}${said}`;
}
