import { type AgentSkill, type Attachment, threadFileIds } from "@crosszone/contracts";
import {
  type BuiltinAgent,
  type BuiltinSkill,
  type Question,
  type RunContext,
  type TaskInput,
  toQuestion,
  UserMistake,
} from "./message/skill.ts";
import { arithmetic } from "./skills/arithmetic.ts";
import { attachmentList, describeAttachments, readAttachments, unreadFilesNote } from "./skills/attachments.ts";
import { math } from "./numbers/functions.ts";
import { CONNECT_MODEL, createHelp, INTRODUCTION, OTHER_AGENTS } from "./skills/help.ts";
import { slow } from "./skills/slow.ts";
import { isAboutText, textStatistics } from "./skills/text-statistics.ts";

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
 * skill that answered; absent when no skill matched. Without `hasModel`, it says how to connect a language model.
 */
export function createBuiltinAgent({ hasModel = false }: { readonly hasModel?: boolean } = {}): BuiltinAgent {
  const connect = hasModel ? "" : CONNECT_MODEL;
  const cannotAnswer =
    `${INTRODUCTION} I can't answer that.\n\nWrite \`help\` to see what I can do. ${OTHER_AGENTS} ${connect}`.trim();
  const skills = [createHelp(WORKING_SKILLS, connect), ...WORKING_SKILLS];
  return {
    name: "builtin",
    description: `Calculates and counts offline. ${connect.replaceAll("`", "")}`.trim(),
    skills: skills.map(({ id, name, description, examples }): AgentSkill => ({ id, name, description, examples })),
    run: async (input, context) => {
      context.signal.throwIfAborted();
      const { attachments, unread } = await readAttachments(filesOf(input), context);
      const question = toQuestion({ ...input, attachments }, unread);
      const { skill, text = cannotAnswer } = await findAnswer(question, skills, context);
      context.signal.throwIfAborted();
      const note = skill === attachmentList ? "" : unreadFilesNote(unread);
      const response_text = [text, note]
        .filter((part) => part !== "")
        .join("\n\n")
        .toWellFormed();
      if (skill === undefined) return { response_text };
      return { response_text, skill: skill.id, ...(skill.id === "help" && { follow_ups: ideas }) };
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
  question: Question,
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
