import type { BusMessage } from "@crosszone/bus";
import { isoTime } from "../iso-time.ts";
import type { RunCommand } from "../run/run-events.ts";
import type { StoredRun } from "../store/stored-run.ts";

/** Returns the bus message of a command, if it has one; `at` in Unix milliseconds. */
export function messageOf(
  command: RunCommand,
  { record: { run_id }, origin }: Pick<StoredRun, "record" | "origin">,
  at: number,
): BusMessage[] {
  if (command.type === "end") return [];
  const { correlation_id, headers } = origin;
  const ids = { run_id, task_id: command.task_id, correlation_id, timestamp: isoTime(at) };
  if (command.type === "cancel")
    return [{ channel: "agent_cancellations", value: { ...ids, reason: "The run no longer needs it." }, headers }];
  const { agent_name, input, deadline } = command;
  const value = { ...ids, agent_name, input_data: input, deadline: isoTime(deadline) };
  return [{ channel: "agent_tasks", value, headers }];
}
