import type { ErrorKind } from "../../../packages/contracts/src/index.ts";
import type { LinkErrorKind } from "../../../packages/jsonrpc/src/index.ts";

/** Why a person reads a sentence, and what an operator does about it. */
type Symptom = readonly [cause: string, todo: string];

/** Every sentence for a task that failed. A new kind of error has no sentence without a row here. */
export const failures: Readonly<Record<ErrorKind | LinkErrorKind, Symptom>> = {
  unreachable: [
    "Verification can't connect to execution.",
    "Start execution. Run the doctor: the line `execution reachable` has the reason.",
  ],
  timeout: [
    "The task passed its deadline, or execution did not respond in time.",
    "Make the agent return a task at once and finish it later. For slow agents, raise `timeout_ms` of the agent, then `ANSWER_DEADLINE`.",
  ],
  aborted: ["Verification was stopped while it waited.", "Nothing: the question can be asked again."],
  invalid_response: [
    "The response of `EXECUTION_URL` isn't a JSON-RPC response, most often an HTML page of a proxy.",
    "Correct `EXECUTION_URL`: it ends in `/rpc`, or in `/invocations` on AgentCore.",
  ],
  server_error: [
    "Execution returned an error code that verification doesn't know.",
    "Upgrade verification to the version of execution.",
  ],
  parse_error: ["Something between the zones changed the request.", "Look for a proxy that rewrites bodies."],
  invalid_request: ["Execution rejected the envelope of the request.", "Upgrade both zones to the same version."],
  method_not_found: [
    "Execution is older than verification.",
    "Upgrade execution first, then verification: [upgrade](durability.md#upgrade).",
  ],
  invalid_params: [
    "Execution rejected the message, or the workflow its input.",
    "Find the task by its reference: `crosszone tasks show` lists each invalid member.",
  ],
  internal: [
    "Crosszone has a bug, or a dependency failed in an unexpected way.",
    "Search the logs of both zones for the reference, and report the log line.",
  ],
  task_not_found: [
    "Execution lost its database, or verification was restored from an older backup.",
    "Keep execution's database on a volume: `DATABASE_URL`, or `DATA_DIR`.",
  ],
  unknown_agent: ["The message names an agent that isn't registered.", "Check the name: `crosszone agents list`."],
  invalid_state_transition: ["The task had already ended when it was stopped.", "Nothing."],
  agent_unavailable: [
    "Connection refused, DNS, TLS, or HTTP 502 to 504.",
    "Start the agent, then `crosszone agents test <agent>`.",
  ],
  agent_misconfigured: [
    "The agent's credentials, address or protocol are wrong. Retrying doesn't help.",
    "`crosszone agents test <agent>` names the setting.",
  ],
  agent_lost_task: [
    "The agent restarted or deleted the task: it says TaskNotFound.",
    "Keep the agent's tasks in a store that survives a restart.",
  ],
  agent_lost_answer: [
    "An agent with side effects ended its stream without an answer. Crosszone doesn't repeat the question.",
    "Read the agent's own log under the reference.",
  ],
  agent_failed: ["The agent itself reported a failure.", "Read the agent's own log under the reference."],
  agent_invalid_response: [
    "The agent's response isn't valid A2A.",
    "`crosszone agents test <agent>` prints the exchange and what is wrong with it.",
  ],
  rate_limited: [
    "The agent, the model or execution is at its limit.",
    "See [limits](limits.md), and the metric `agent_call_requests_total`.",
  ],
  unauthorized: [
    "The two zones have different credentials.",
    "Put the same `EXECUTION_TOKEN` into both. Run the doctor: `execution answers`.",
  ],
  payload_too_large: ["The message, its thread or its files exceed a limit of execution.", "See [limits](limits.md)."],
  canceled: ["Someone stopped the task.", "Nothing."],
  shutting_down: ["Execution is restarting.", "Nothing. If it lasts, check why execution doesn't start."],
};
