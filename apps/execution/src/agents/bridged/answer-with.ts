import type { AgentAnswer } from "../agent.ts";
import { fitInAnswer } from "./fit-answer.ts";
import { responseText } from "./response-text.ts";

/** The answer that brings an output, any JSON value. The text is for people and comes first; what is structured comes along if it fits. */
export function answerWith(output: unknown): AgentAnswer {
  const response_text = responseText(output);
  const isStructured = typeof output === "object" && output !== null;
  return { response_text, ...(isStructured && fitInAnswer(response_text, output) && { output_data: output }) };
}
