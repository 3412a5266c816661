import type { AgentCall, TaskFailure, TaskRecord } from "@crosszone/contracts";
import { stateText } from "./duration.ts";
import { factsText } from "./facts-text.ts";

/** Returns a task with its agent calls as text. */
export function taskText(task: TaskRecord): string {
  const { task_id, agent, caller, attempts, error, created_at, ended_at, deadline, correlation_id, run_id } = task;
  const facts = factsText({
    task: task_id,
    agent,
    state: stateText({ ...task, started_at: created_at }),
    error: error && failureText(error),
    run: run_id && `${run_id} (crosszone runs show ${run_id})`,
    caller,
    user: task.user_id,
    channel: task.channel,
    team: task.team_id ?? task.team,
    attempts: String(attempts),
    created: created_at,
    ended: ended_at,
    deadline: ended_at === undefined ? deadline : undefined,
    correlation: correlation_id,
  });
  return [facts, ...(task.agent_calls ?? []).map(callText)].join("\n");
}

function callText(call: AgentCall): string {
  const { agent, attempts, error_kind, remote_id, progress, created_at } = call;
  return factsText({
    "agent call": agent,
    state: stateText({ ...call, started_at: created_at }),
    attempts: attempts === undefined ? undefined : String(attempts),
    error: error_kind,
    "remote id": remote_id,
    progress,
  });
}

const failureText = ({ message, kind, code }: TaskFailure): string => `${message} (${kind}, ${code})`;
