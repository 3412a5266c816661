import type { AgentSkill } from "@crosszone/contracts";
import {
  type Answer,
  type BuiltinAgent,
  type BuiltinSkill,
  type Question,
  toQuestion,
  UserMistake,
} from "./message/skill.ts";
import { arithmetic } from "./skills/arithmetic.ts";
import { attachmentList, describeAttachments, readAttachments, unreadFilesNote } from "./skills/attachments.ts";
import { calendar } from "./skills/calendar.ts";
import { csvStatistics } from "./skills/csv-statistics.ts";
import { CONNECT_MODEL, createHelp, INTRODUCTION, OTHER_AGENTS, showExample } from "./skills/help.ts";
import { createNearestSkillFinder } from "./skills/nearest-skill.ts";
import { slow } from "./skills/slow.ts";
import { textStatistics } from "./skills/text-statistics.ts";
import { threadSummary } from "./skills/thread-summary.ts";
import { unitConversion } from "./skills/unit-conversion.ts";
import { unixTime } from "./skills/unix-time.ts";
import { worldClock } from "./skills/world-clock.ts";

/** Tried in this order; the first match answers. Skills that match a command come before skills that match content. */
const WORKING_SKILLS: readonly BuiltinSkill[] = [
  worldClock,
  unixTime,
  calendar,
  arithmetic,
  unitConversion,
  textStatistics,
  threadSummary,
  slow,
  attachmentList,
  csvStatistics,
];

const findNearest = createNearestSkillFinder(WORKING_SKILLS);

export interface BuiltinOptions {
  /** Whether a language model is connected. If not, the agent says how to connect one. */
  readonly hasModel?: boolean;
}

/**
 * Creates the agent that works without network or model: a set of skills, each matched by the form of the message. It
 * never pretends to be a language model. Its answers have an extra member `skill`, the id of the skill that answered;
 * absent when no skill matched.
 */
export function createBuiltinAgent({ hasModel = false }: BuiltinOptions = {}): BuiltinAgent {
  const connect = hasModel ? "" : CONNECT_MODEL;
  const skills = [createHelp(WORKING_SKILLS, connect), ...WORKING_SKILLS];
  return {
    name: "builtin",
    description: `Calculates, converts, counts and summarizes offline. ${connect.replaceAll("`", "")}`.trim(),
    skills: skills.map(({ id, name, description, examples }): AgentSkill => ({ id, name, description, examples })),
    run: async (input, context) => {
      context.signal.throwIfAborted();
      const { attachments, unread } = await readAttachments(input.attachments, context);
      const question = toQuestion({ ...input, attachments }, context.now(), unread);
      const { skill, answer } = findAnswer(question, skills) ?? { answer: () => cannotAnswer(question, connect) };
      const text = await sayMistakes(() => answer(context));
      context.signal.throwIfAborted();
      const note = skill === attachmentList ? "" : unreadFilesNote(unread);
      const response_text = [text, note]
        .filter((part) => part !== "")
        .join("\n\n")
        .toWellFormed();
      return skill === undefined ? { response_text } : { response_text, skill: skill.id };
    },
  };
}

function findAnswer(
  question: Question,
  skills: readonly BuiltinSkill[],
): { skill?: BuiltinSkill; answer: Answer } | undefined {
  for (const skill of skills) {
    try {
      const answer = skill.match(question);
      if (answer !== undefined) return { skill, answer };
    } catch (error) {
      if (!(error instanceof UserMistake)) throw error;
      return { skill, answer: () => error.message };
    }
  }
  if (question.input.attachments.length > 0)
    return { skill: attachmentList, answer: () => describeAttachments(question) };
  return undefined;
}

async function sayMistakes(work: () => string | Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserMistake) return error.message;
    throw error;
  }
}

function cannotAnswer({ phrase }: Question, connect: string): string {
  const nearest = findNearest(phrase);
  const hint =
    nearest === undefined
      ? ""
      : `\n\nThe closest skill is **${nearest.name}**: ${nearest.examples.slice(0, 3).map(showExample).join(", ")}.`;
  return `${INTRODUCTION} I can't answer that.${hint}\n\nWrite \`help\` to see what I can do. ${OTHER_AGENTS} ${connect}`.trim();
}
