import { type AgentSkill, type Attachment, threadFileIds } from "@crosszone/contracts";
import { systemClock } from "@crosszone/service-kit/timing";
import { arithmetic } from "./arithmetic.ts";
import { attachmentList, describeAttachments, readAttachments, unreadFilesNote } from "./attachments.ts";
import { math } from "./calculation.ts";
import {
  type BuiltinSkill,
  code,
  type SkillQuestion,
  type RunContext,
  type TaskInput,
  toQuestion,
  UserMistake,
} from "./skill.ts";
import { isAboutText, textStatistics } from "./text-statistics.ts";

/** The built-in agent's introduction, in its help and in every answer to something it can't do. */
export const INTRODUCTION = "I'm the **built-in agent**: small programs, without a language model.";

/** Why this agent answers. How to connect a model is for operators: the log, the doctor and docs/models.md say it. */
const NO_MODEL = "No language model is connected. The people who run this service can connect one.";

/** How to reach an agent that can do more. */
export const OTHER_AGENTS = "Write `/agents` to see the agents that you can ask.";

const GREETING =
  /^(?:hi|hello|hey|yo|hiya|howdy|good (?:morning|afternoon|evening|day)|こんにちは|おはよう|こんばんは)(?: there| all| everyone| bot)?[!.\s]*$/iu;
const THANKS =
  /^(?:(?:many )?thanks?|thank you|thx|cheers|ありがとう(?:ございます)?)(?: (?:so|very) much| a lot| again)?[!.。\s]*$/iu;
const ABOUT =
  /^(?:help(?: me)?|\?|menu|commands|skills|what can (?:you|i) do.*|what (?:do you do|are you)|who are you|how do(?:es)? (?:this|it|you) work|are you (?:an? )?(?:ai|bot|human|robot|language model|llm|chat ?gpt|claude).*|ヘルプ)!*$/iu;

/** Greets and explains the other skills. `note` follows the introduction. */
function createHelp(others: readonly BuiltinSkill[], note = ""): BuiltinSkill {
  return {
    id: "help",
    name: "Help",
    description: "Lists what I can do, with examples.",
    examples: ["help", "help arithmetic", "hello"],
    match: ({ phrase, input }) => {
      const greeting = input.text.trim().slice(0, 100);
      if ((phrase === "" && input.attachments.length === 0) || ABOUT.test(phrase)) return () => overview(others, note);
      if (GREETING.test(greeting)) return () => `Hello! ${overview(others, note)}`;
      if (THANKS.test(greeting)) return () => "You are welcome. Write `help` to see what I can do.";
      const [, topic] = /^help(?: me)?(?: with| on| about)? (.{1,60})$/i.exec(phrase) ?? [];
      if (topic === undefined) return undefined;
      const skill = others.find(({ id, name }) => `${id} ${name}`.toLowerCase().includes(topic.toLowerCase()));
      return () => (skill === undefined ? overview(others, note) : details(skill));
    },
  };
}

/** An example message on one line. */
function showExample(example: string): string {
  return code(example.replaceAll("\n", " ⏎ "), 120);
}

function skillList(skills: readonly BuiltinSkill[]): string {
  return skills.map(({ name, examples }) => `- **${name}**: ${showExample(examples[0] ?? "")}`).join("\n");
}

function overview(skills: readonly BuiltinSkill[], note: string): string {
  return `${[INTRODUCTION, note].filter(Boolean).join("\n\n")}\n\nWrite for example:\n${skillList(skills)}\n\nFor more examples, write ${code("help arithmetic")} or another name from the list. ${OTHER_AGENTS}`;
}

function details({ name, description, examples }: BuiltinSkill): string {
  return `${INTRODUCTION}\n\n**${name}**: ${description}\n${examples.map((example) => `- ${showExample(example)}`).join("\n")}`;
}

const DEFAULT_SECONDS = 8;
const MOST_SECONDS = 120;

/** Works for a while on purpose, to show how a long task is accepted, awaited and stopped. */
const slow: BuiltinSkill = {
  id: "slow",
  name: "Slow answer",
  description: `A demonstration: answers after some seconds (${DEFAULT_SECONDS}, or as many as you say, at most ${MOST_SECONDS}).`,
  examples: ["slow", "slow 20", "slow 5 and then say this"],
  match: ({ phrase }) => {
    const match = /^slow(?: (\d{1,9}(?:\.\d{1,3})?) ?(?:s|secs?|seconds?)?(?= |$))?(?: (.*))?$/i.exec(phrase);
    if (match === null) return undefined;
    const seconds = match[1] === undefined ? DEFAULT_SECONDS : Number(match[1]);
    if (seconds > MOST_SECONDS) throw new UserMistake(`I can be slow for at most ${MOST_SECONDS} seconds.`);
    return async ({ signal, now }) => {
      const start = now().getTime();
      await systemClock.sleep(seconds * 1000, signal);
      const took = ((now().getTime() - start) / 1000).toFixed(1);
      const said = match[2] === undefined ? "" : `\n\nYou said: ${code(match[2], 500)}`;
      return `Done: I worked on this for **${took} seconds**. You asked for ${seconds}.${said}`;
    };
  },
};

/** Tried in this order; the first match answers. Skills that match a command come before skills that match content. */
const WORKING_SKILLS: readonly BuiltinSkill[] = [arithmetic, textStatistics, slow, attachmentList];

/** What to ask next, after the help. */
const ideas = [arithmetic, slow].flatMap(({ examples }) => examples.slice(0, 1));

/** Loads what calculations need, which takes 80 ms. Otherwise the first question does. */
export function loadLibraries(): void {
  math();
}

/**
 * Creates the agent that works without network or model, in the zone's own thread: what a skill computes is bounded. It is a set of skills,
 * each matched by the form of the message. It never pretends to be a language model. Its answers have an extra member `skill`, the id of the
 * skill that answered; absent when no skill matched. Without `hasModel`, it says that no language model is connected. It satisfies the zone's own
 * port to an agent.
 */
export function createBuiltinAgent({ hasModel = false }: { readonly hasModel?: boolean } = {}) {
  const note = hasModel ? "" : NO_MODEL;
  const cannotAnswer =
    `${INTRODUCTION} I can't answer that.\n\nWrite \`help\` to see what I can do. ${OTHER_AGENTS} ${note}`.trim();
  const skills = [createHelp(WORKING_SKILLS, note), ...WORKING_SKILLS];
  return {
    name: "builtin",
    description: `Calculates and counts offline. ${note}`.trim(),
    skills: skills.map(({ id, name, description, examples }): AgentSkill => ({ id, name, description, examples })),
    /** Answers one task. Mistakes of the requester are explained in the answer. Rejects with the signal's reason after it aborts. */
    run: async (input: TaskInput, context: RunContext) => {
      context.signal.throwIfAborted();
      const { attachments, unread } = await readAttachments(filesOf(input), context);
      const question = toQuestion({ ...input, attachments }, unread);
      const { skill, text = cannotAnswer } = await findAnswer(question, skills, context);
      context.signal.throwIfAborted();
      const unreadNote = skill === attachmentList ? "" : unreadFilesNote(unread);
      const response_text = [text, unreadNote]
        .filter((part) => part !== "")
        .join("\n\n")
        .toWellFormed();
      if (skill === undefined) return { response_text };
      return { response_text, skill: skill.id, follow_ups: skill.id === "help" ? ideas : undefined };
    },
  };
}

/** Returns the files of the message; those of its thread if it has none and asks about a text. */
function filesOf(input: TaskInput): readonly Attachment[] {
  const earlier = threadFileIds(input.thread);
  const own = input.attachments.filter(({ id }) => !earlier.has(id));
  return own.length === 0 && isAboutText(toQuestion(input)) ? input.attachments : own;
}

async function findAnswer(
  question: SkillQuestion,
  skills: readonly BuiltinSkill[],
  context: RunContext,
): Promise<{ skill?: BuiltinSkill; text?: string }> {
  for (const skill of skills) {
    try {
      const answer = skill.match(question);
      if (answer !== undefined) return { skill, text: await answer(context) };
    } catch (error) {
      if (!(error instanceof UserMistake)) throw error;
      return { skill, text: error.message };
    }
  }
  return question.input.attachments.length > 0 ? { skill: attachmentList, text: describeAttachments(question) } : {};
}
