import type { InputAnswer } from "@crosszone/contracts";

/** What people can press under an answer: ask its question again, ask another agent, rate it, ask a prompt, fill in a workflow's form. */
export const answerVerbs = ["again", "other", "rate", "prompt", "form"] as const;

/** A press under an answer, which its reference identifies, or the modal that it opened. */
export interface AnswerPress {
  readonly of: "answer";
  readonly id: string;
  readonly verb: (typeof answerVerbs)[number];
  /** The value of the button. */
  readonly value?: string | undefined;
  /** What was entered in the modal, by block. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** A person's answer to an input request, by a press or a submitted modal. */
export interface InputPress {
  readonly of: "input";
  readonly id: string;
  readonly answer: InputAnswer;
  /** The digest of the action that the person saw. */
  readonly digest?: string | undefined;
}
