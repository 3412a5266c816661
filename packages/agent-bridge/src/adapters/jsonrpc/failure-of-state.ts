import type { AgentErrorKind } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { isObject, ownMember } from "../own-member.ts";
import { outputOfTask } from "./output-of-task.ts";

interface Meaning {
  readonly kind: AgentErrorKind;
  readonly says: string;
}

/** States that end a task without success. `input-required` and `auth-required` end it too: nobody is there to answer. */
const meanings: ReadonlyMap<unknown, Meaning> = new Map([
  ["failed", { kind: "task_failed", says: "The agent says that the task failed" }],
  ["canceled", { kind: "task_canceled", says: "The agent canceled the task" }],
  ["rejected", { kind: "task_rejected", says: "The agent refuses to do the task" }],
  ["input-required", { kind: "input_required", says: "The agent asks for more, and nobody is there to answer" }],
  [
    "auth-required",
    { kind: "auth_required", says: "The agent asks for an authorization that nobody is there to give" },
  ],
]);

/**
 * What a result that is no success means, by its state. What it brought all the same is in `data`, as in an output; of a result that says
 * neither how the task stands nor anything that an output has, `data.result` is the whole of it.
 */
export function failureOfState(result: unknown, state: unknown): AgentFailure {
  const output = isObject(result) ? outputOfTask(result) : undefined;
  const meaning = meanings.get(state);
  const { kind, says } = meaning ?? { kind: "task_state_unknown", says: unknownState(state) };
  const said = agentWords(ownMember(output, "response") ?? ownMember(output, "text"));
  return new AgentFailure(kind, said === undefined ? `${says}.` : `${says}: ${said}`, {
    data: { state: state ?? null, ...(output ?? (meaning === undefined ? { result } : {})) },
  });
}

function unknownState(state: unknown): string {
  if (state === undefined) return "The agent's answer names no state of the task, status.state is missing";
  return `The agent's answer names a state that says nothing of how the task stands, ${agentWords(JSON.stringify(state)) ?? ""}`;
}
