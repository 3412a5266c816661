import type { AgentSkill } from "@crosszone/contracts";
import type { RunContext } from "./agent.ts";
import type { Question } from "./question.ts";

/** Answers one matched question in Markdown. Throws `UserMistake` when the question can't be answered. */
export type Answer = (context: RunContext) => string | Promise<string>;

/** One ability of the built-in agent. */
export interface BuiltinSkill extends AgentSkill {
  id: string;
  name: string;
  description: string;
  /** Messages that this skill answers. Tests send each of them. */
  examples: string[];
  /**
   * Returns a function that answers when the question is for this skill; otherwise `undefined`, and the next skill is
   * tried. May throw `UserMistake` when the question is for this skill but wrong. Must be cheap: it runs for every
   * question.
   */
  match(question: Question): Answer | undefined;
}

/** The question can't be answered. The message is a plain Markdown sentence for the person. */
export class UserMistake extends Error {
  override readonly name = "UserMistake";
}
