import type { User } from "../../control/protocol.ts";

/** An `@word` being typed: the position of its `@`, and the text up to the caret. */
export interface MentionQuery {
  start: number;
  word: string;
}

/** Returns the mention that ends at the caret; undefined if there is none. */
export function mentionQuery(text: string, caret: number): MentionQuery | undefined {
  const found = /(?:^|[\s(])@([\w.-]*)$/.exec(text.slice(0, caret));
  return found?.[1] === undefined ? undefined : { start: caret - found[1].length - 1, word: found[1] };
}

/** Returns at most five matching users, the app's bot first. */
export function mentionCandidates(word: string, users: readonly User[], bot: string): User[] {
  const wanted = word.toLowerCase();
  const matches = users.filter(
    (user) =>
      !user.deleted &&
      [user.name, ...user.real_name.split(/\s+/)].some((name) => name.toLowerCase().startsWith(wanted)),
  );
  return matches.toSorted((a, b) => Number(b.id === bot) - Number(a.id === bot)).slice(0, 5);
}

/** Returns a user's name after the `@`: `Crosszone` for the bot, `alice` for a person. */
export function mentionName(user: User): string {
  return user.is_bot && /^[\w.-]+$/.test(user.real_name) ? user.real_name : user.name;
}
