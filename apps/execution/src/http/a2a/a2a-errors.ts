import { type ErrorReason, RpcError } from "@crosszone/a2a";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import { errorForCallers } from "../../database/open-execution-database.ts";

/** How an error kind leaves this surface. */
interface ErrorRow {
  readonly reason: ErrorReason;
  /** The HTTP status; 200 when absent. */
  readonly status?: number;
  /** The title of the kind when absent. */
  readonly message?: string;
}

const internal = { reason: "INTERNAL" } as const;

/** Kinds that only the outcome of a task has never are the error of a request: that is a bug here. */
const rows = {
  parse_error: { reason: "PARSE_ERROR" },
  invalid_request: { reason: "INVALID_REQUEST" },
  method_not_found: { reason: "METHOD_NOT_FOUND" },
  invalid_params: { reason: "INVALID_PARAMS" },
  payload_too_large: { reason: "INVALID_REQUEST", status: 413 },
  unauthorized: {
    reason: "UNAVAILABLE",
    status: 401,
    message:
      "The token is no longer valid: it was revoked or has expired. The task goes on: read it with a valid token.",
  },
  rate_limited: { reason: "UNAVAILABLE", status: 429 },
  shutting_down: { reason: "UNAVAILABLE", status: 503 },
  zone_unavailable: { reason: "UNAVAILABLE", status: 503 },
  task_not_found: { reason: "TASK_NOT_FOUND", message: "The task does not exist." },
  unknown_agent: { reason: "TASK_NOT_FOUND", message: "There is no such agent, or this token can't ask it." },
  input_request_not_found: { reason: "UNSUPPORTED_OPERATION", message: "The input request is no longer open." },
  invalid_state_transition: { reason: "TASK_NOT_CANCELABLE", message: "The task has ended. It can't be canceled." },
  internal,
  timeout: internal,
  canceled: internal,
  agent_unavailable: internal,
  agent_failed: internal,
  agent_invalid_response: internal,
  agent_misconfigured: internal,
  agent_lost_task: internal,
  agent_lost_answer: internal,
} as const satisfies Record<ErrorKind, ErrorRow>;

/** Returns the A2A error of anything that was thrown. Only a `ZoneError` and an `RpcError` say more than that it is internal. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const known = errorForCallers(error);
  const { kind, data } = known instanceof ZoneError ? known : new ZoneError("internal");
  const { reason, status, message = errorTable[kind].title }: ErrorRow = rows[kind];
  const problems = data.problems?.map((problem) => `${problem.pointer} ${problem.message}`.trim()) ?? [];
  const { retry_after_ms: waitMs } = data;
  return new RpcError(reason, problems.length === 0 ? message : `${message}: ${problems.join("; ")}`, {
    ...(status !== undefined && { status }),
    ...(waitMs !== undefined && { headers: { "retry-after": String(Math.ceil(waitMs / 1_000)) } }),
  });
}
