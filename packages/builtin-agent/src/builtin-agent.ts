import type { AgentSkill } from "@crosszone/contracts";
import { systemClock } from "@crosszone/service-kit/timing";
import { arithmetic } from "./arithmetic.ts";
import { describeFiles, files, filesToRead, readSkillFiles, unreadNote } from "./files.ts";
import {
  type BuiltinSkill,
  code,
  type SkillFile,
  type RunContext,
  type TaskInput,
  toPhrase,
  UserMistake,
} from "./skill.ts";

/** The built-in agent's introduction, in its help and in every answer to something it can't do. */
export const INTRODUCTION = "I'm the **built-in agent**: small programs, without a language model.";

/** Why this agent answers. How to connect a model is for operators: the log, the doctor and docs/models.md say it. */
const NO_MODEL = "No language model is connected. The people who run this service can connect one.";

/** How to reach an agent that can do more. */
export const OTHER_AGENTS = "Write `/agents` to see the agents that you can ask.";

const greeting =
  /^(?:hi|hello|hey|howdy|good (?:morning|afternoon|evening|day)|こんにちは|おはよう|こんばんは)(?: there| all| everyone| bot)?[!.\s]*$/iu;
const thanks =
  /^(?:(?:many )?thanks?|thank you|thx|ありがとう(?:ございます)?)(?: (?:so|very) much| a lot)?[!.。\s]*$/iu;
const help =
  /^(?:help.{0,60}|\?|menu|commands|skills|what can (?:you|i) do.*|what (?:do you do|are you)|who are you|how do(?:es)? (?:this|it|you) work|are you (?:an? )?(?:ai|bot|human|robot|language model|llm|chat ?gpt|claude).*|ヘルプ)!*$/iu;

const [usualSeconds, mostSeconds] = [8, 120];

/** Works for a while on purpose, to show how a long task is accepted, awaited and stopped. */
const slow: BuiltinSkill = {
  id: "slow",
  name: "Slow answer",
  description: `A demonstration: answers after some seconds (${usualSeconds}, or as many as you say, at most ${mostSeconds}).`,
  examples: ["slow", "slow 20", "slow 5 and then say this"],
  match: (phrase) => {
    const match = /^slow(?: (\d{1,9}(?:\.\d{1,3})?) ?(?:s|secs?|seconds?)?(?= |$))?(?: (.*))?$/i.exec(phrase);
    if (match === null) return undefined;
    const seconds = match[1] === undefined ? usualSeconds : Number(match[1]);
    if (seconds > mostSeconds) throw new UserMistake(`I can be slow for at most ${mostSeconds} seconds.`);
    return async ({ signal, now }) => {
      const start = now().getTime();
      await systemClock.sleep(seconds * 1000, signal);
      const took = ((now().getTime() - start) / 1000).toFixed(1);
      const said = match[2] === undefined ? "" : `\n\nYou said: ${code(match[2], 500)}`;
      return `Done: I worked on this for **${took} seconds**. You asked for ${seconds}.${said}`;
    };
  },
};

const echo: BuiltinSkill = {
  id: "echo",
  name: "Echo",
  description: "Repeats what you write.",
  examples: ["echo hello"],
  match: (phrase) => {
    const said = /^echo:? (.+)$/i.exec(phrase)?.[1];
    return said === undefined ? undefined : () => code(said, 500);
  },
};

/** Tried in this order; the first match answers. */
const skills: readonly BuiltinSkill[] = [arithmetic, echo, slow, files];

/** What to ask next, after the help. */
const ideas = [arithmetic, slow].flatMap(({ examples }) => examples.slice(0, 1));

/** Greets and explains the other skills. `note` follows the introduction. */
function createHelp(note: string): BuiltinSkill {
  const list = skills.map(({ name, examples }) => `- **${name}**: ${examples.map((one) => code(one)).join(", ")}`);
  const overview = `${[INTRODUCTION, note].filter(Boolean).join("\n\n")}\n\nWrite for example:\n${list.join("\n")}\n\n${OTHER_AGENTS}`;
  return {
    id: "help",
    name: "Help",
    description: "Lists what I can do, with examples.",
    examples: ["help", "hello"],
    match: (phrase, question) => {
      if ((phrase === "" && question.files.length === 0) || help.test(phrase)) return () => overview;
      if (greeting.test(phrase)) return () => `Hello! ${overview}`;
      return thanks.test(phrase) ? () => "You are welcome. Write `help` to see what I can do." : undefined;
    },
  };
}

/**
 * Creates the agent that works without network or model, in the zone's own thread: what a skill computes is bounded. It is a set of skills,
 * each matched by the form of the message. It never pretends to be a language model. Its answers have an extra member `skill`, the id of the
 * skill that answered; absent when no skill matched. Without `hasModel`, it says that no language model is connected. It satisfies the zone's own
 * port to an agent.
 */
export function createBuiltinAgent({ hasModel = false }: { readonly hasModel?: boolean } = {}) {
  const note = hasModel ? "" : NO_MODEL;
  const all = [createHelp(note), ...skills];
  const cannotAnswer = `${INTRODUCTION} I can't answer that.\n\nWrite \`help\` to see what I can do. ${OTHER_AGENTS} ${note}`;
  return {
    name: "builtin",
    description: `Calculates offline. ${note}`.trim(),
    skills: all.map(({ id, name, description, examples }): AgentSkill => ({ id, name, description, examples })),
    /** Answers one task. Mistakes of the requester are explained in the answer. Rejects with the signal's reason after it aborts. */
    run: async (input: TaskInput, context: RunContext) => {
      context.signal.throwIfAborted();
      const { phrase, isCut } = toPhrase(input.text);
      const sent = await readSkillFiles(filesToRead(input, phrase), context);
      const { skill, text = cannotAnswer.trim() } = await findAnswer(phrase, { isCut, files: sent }, { all, context });
      context.signal.throwIfAborted();
      const unread = skill === files ? "" : unreadNote(sent);
      const response_text = `${text}${unread && `\n\n${unread}`}`.toWellFormed();
      if (skill === undefined) return { response_text };
      return { response_text, skill: skill.id, follow_ups: skill.id === "help" ? ideas : undefined };
    },
  };
}

async function findAnswer(
  phrase: string,
  question: { readonly isCut: boolean; readonly files: readonly SkillFile[] },
  { all, context }: { readonly all: readonly BuiltinSkill[]; readonly context: RunContext },
): Promise<{ skill?: BuiltinSkill; text?: string }> {
  for (const skill of all) {
    try {
      const answer = skill.match(phrase, question);
      if (answer !== undefined) return { skill, text: await answer(context) };
    } catch (error) {
      if (!(error instanceof UserMistake)) throw error;
      return { skill, text: error.message };
    }
  }
  return question.files.length > 0 ? { skill: files, text: describeFiles(question.files) } : {};
}
