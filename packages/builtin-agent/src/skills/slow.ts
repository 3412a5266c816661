import { systemClock } from "@crosszone/service-kit/timing";
import { code } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";

const DEFAULT_SECONDS = 8;
const MOST_SECONDS = 120;

/** Works for a while on purpose, to show how a long task is accepted, awaited and stopped. */
export const slow: BuiltinSkill = {
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
