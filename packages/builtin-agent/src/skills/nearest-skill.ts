import { isTopicWord } from "../documents/sentences.ts";
import type { BuiltinSkill } from "../message/skill.ts";

const MOST_WORDS = 40;
const LONGEST_WORD = 24;
/** The share of common letter pairs above which two words count as the same, despite typos or inflection. */
const ALIKE = 0.6;
/** A word of a skill's name counts as much as this many words of its description. */
const NAME_WEIGHT = 3;

/** A word's letter pairs. A typo changes few of them. */
type Pairs = ReadonlySet<string>;

/**
 * Finds the skill whose name, description and examples share the most words with a text; `undefined` when none does.
 */
export type FindNearestSkill = (text: string) => BuiltinSkill | undefined;

/** Prepares the skills' words once. Of equally near skills, the earlier wins. */
export function createNearestSkillFinder(skills: readonly BuiltinSkill[]): FindNearestSkill {
  const vocabularies = skills.map((skill) => ({
    skill,
    names: topicWords(`${skill.id} ${skill.name}`),
    others: topicWords(`${skill.description} ${skill.examples.join(" ")}`),
  }));
  return (text) => {
    const wanted = topicWords(text).slice(0, MOST_WORDS);
    let nearest: BuiltinSkill | undefined;
    let highest = 0;
    for (const { skill, names, others } of vocabularies) {
      const score = wanted.reduce((sum, word) => sum + NAME_WEIGHT * best(word, names) + best(word, others), 0);
      if (score <= highest) continue;
      nearest = skill;
      highest = score;
    }
    return nearest;
  };
}

function topicWords(text: string): Pairs[] {
  const words =
    text
      .slice(0, 2000)
      .toLowerCase()
      .match(/[\p{L}']{2,}/gu) ?? [];
  return words.filter((word) => word.length <= LONGEST_WORD && isTopicWord(word)).map(pairs);
}

function best(word: Pairs, candidates: readonly Pairs[]): number {
  return candidates.reduce((most, candidate) => Math.max(most, likeness(word, candidate)), 0);
}

/** The Dice coefficient of two words' letter pairs; 0 when they are not alike. */
function likeness(ours: Pairs, theirs: Pairs): number {
  let common = 0;
  for (const pair of ours) if (theirs.has(pair)) common += 1;
  const share = (2 * common) / (ours.size + theirs.size);
  return share >= ALIKE ? share : 0;
}

function pairs(word: string): Pairs {
  return new Set(Array.from({ length: word.length - 1 }, (_unused, at) => word.slice(at, at + 2)));
}
