import type { AgentContext, AgentSkill } from "../agent.ts";
import type { Question } from "./question.ts";

/**
 * Does the work of one matched question and gives Markdown. Throws `UserMistake` when the question cannot be answered.
 */
export type Answer = (context: AgentContext) => string | Promise<string>;

/** One thing that the built-in agent can do. */
export interface BuiltinSkill extends AgentSkill {
  id: string;
  name: string;
  description: string;
  /** Messages that this skill answers. Tests send every one of them. */
  examples: string[];
  /**
   * Gives the answer's work when the question is meant for this skill, otherwise `undefined`, and the next skill is
   * tried. May throw `UserMistake` when it is meant for this skill but wrong. Must be cheap: it runs for every
   * question.
   */
  match(question: Question): Answer | undefined;
}

/**
 * Something in the question stands in the way of an answer. The message is for the person: a plain sentence in
 * Markdown.
 */
export class UserMistake extends Error {
  override readonly name = "UserMistake";
}
