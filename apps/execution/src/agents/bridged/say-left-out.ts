import type { AgentAnswer } from "../agent.ts";
import { fileName } from "./file-name.ts";
import type { FileLeftOut } from "./files-for-agent.ts";

/** Returns the answer with a last line that names the files that the agent did not get. */
export function sayLeftOut(answer: AgentAnswer, agent: string, leftOut: readonly FileLeftOut[]): AgentAnswer {
  if (leftOut.length === 0) return answer;
  const named = leftOut.map(({ name, reason }) => `${fileName(name, "a file")} (${reason})`).join(", ");
  return { ...answer, response_text: `${answer.response_text}\n\nNot sent to ${agent}: ${named}.` };
}
