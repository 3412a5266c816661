import { isTopicWord } from "./documents/segments.ts";
import type { BuiltinSkill } from "./skill.ts";

const MOST_WORDS = 40;
const LONGEST_WORD = 24;
/** Share of letter pairs that two words must have in common to count as the same word, mistyped or inflected. */
const ALIKE = 0.6;
/** A word of a skill's name counts as much as this many words of its description. */
const NAME_WEIGHT = 3;

/** A word as its letter pairs, which still are mostly the same when it is mistyped. */
type Pairs = ReadonlySet<string>;

/** Finds the skill whose name, description and examples share most words with a text; `undefined` when none does. */
export type FindNearestSkill = (text: string) => BuiltinSkill | undefined;

/** Prepares the skills' words once. Equally near skills: the earlier one. */
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

/** The Dice coefficient of two words' letter pairs, 0 when they are not alike. */
function likeness(ours: Pairs, theirs: Pairs): number {
  let common = 0;
  for (const pair of ours) if (theirs.has(pair)) common += 1;
  const share = (2 * common) / (ours.size + theirs.size);
  return share >= ALIKE ? share : 0;
}

function pairs(word: string): Pairs {
  return new Set(Array.from({ length: word.length - 1 }, (_unused, at) => word.slice(at, at + 2)));
}
