import type { SlackDirectory } from "../policy/slack-directory.ts";

/** Names of people (`Bob Carter`), user groups (`@oncall`) and channels (`#general`), by Slack id. */
export type Names = ReadonlyMap<string, string>;

/** Matches a person, a channel or a group in Slack's notation. */
const named = /<(?:@([UW][A-Z0-9]+)|#([CDG][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>/g;

/** Looks up the names of everyone whom texts mention. What Slack does not know, or does not answer in time, has no name. */
export async function namesIn(texts: Iterable<string>, directory: SlackDirectory): Promise<Names> {
  const people = new Set<string>();
  for (const text of texts) for (const [, user] of text.matchAll(named)) if (user !== undefined) people.add(user);
  const found = await Promise.all(
    [...people].map(async (id) => [id, (await directory.user(id).catch(() => undefined))?.name] as const),
  );
  return new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
