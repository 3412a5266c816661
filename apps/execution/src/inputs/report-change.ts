import type { InputRequest } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** Returns a request's ids for events. */
export const inputIds = ({ request_id, task_id, run_id, correlation_id, agent }: InputRequest) => ({
  request_id,
  task_id,
  run_id,
  correlation_id,
  agent,
});

/** Reports a stored change, except votes, which are reported with their people. */
export function reportChange(emit: Emit<ExecutionEvent>, before: InputRequest, request: InputRequest): void {
  const fields = { ...inputIds(request), because: request.closed_because };
  const { state, reminders = 0 } = request;
  if (reminders > (before.reminders ?? 0)) emit("input_reminded", { ...inputIds(request), reminders });
  if (before.state === state) return;
  if (state === "expired" || state === "void") emit("input_expired", fields);
  if (state === "withdrawn") emit("input_withdrawn", fields);
  if (state === "used") emit("input_used", inputIds(request));
}
