import type { AgentErrorKind } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { isObject, ownMember } from "../own-member.ts";
import { outputOfTask } from "./output-of-task.ts";

interface Meaning {
  readonly kind: AgentErrorKind;
  readonly says: string;
}

/**
 * States that end a task without success. `input-required` and `auth-required` end this task; the next message can
 * continue the agent's.
 */
const meanings: ReadonlyMap<unknown, Meaning> = new Map([
  ["failed", { kind: "task_failed", says: "The agent says that the task failed" }],
  ["canceled", { kind: "task_canceled", says: "The agent canceled the task" }],
  ["rejected", { kind: "task_rejected", says: "The agent refuses to do the task" }],
  ["input-required", { kind: "input_required", says: "The agent needs more information" }],
  ["auth-required", { kind: "auth_required", says: "The agent needs an authorization" }],
]);

/**
 * Returns the failure of an unsuccessful result, by its state. `data` has the state, the output if any, the agent's id
 * of the task (`task_id`) and its message (`agent_says`). For a result without state and output, `data.result` is the
 * whole result.
 */
export function failureOfState(result: unknown, state: unknown): AgentFailure {
  const output = isObject(result) ? outputOfTask(result) : undefined;
  const meaning = meanings.get(state);
  const { kind, says } = meaning ?? { kind: "task_state_unknown", says: unknownState(state) };
  const words = ownMember(output, "response") ?? ownMember(output, "text");
  const said = agentWords(words);
  const remoteId = ownMember(result, "id");
  return new AgentFailure(kind, said === undefined ? `${says}.` : `${says}: ${said}`, {
    data: {
      state: state ?? null,
      ...(output ?? (meaning === undefined ? { result } : {})),
      ...(meaning !== undefined && typeof remoteId === "string" && remoteId !== "" && { task_id: remoteId }),
      ...(typeof words === "string" && { agent_says: words }),
    },
  });
}

function unknownState(state: unknown): string {
  if (state === undefined) return "The agent's answer has no task state: status.state is missing";
  return `The agent's answer has an unknown task state, ${agentWords(JSON.stringify(state)) ?? ""}`;
}
