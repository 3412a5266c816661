import { resolve } from "node:path";
import { count, flag, text, type Values } from "../kit/arguments.ts";
import { ownRoot } from "../zone/zone-process.ts";
import { eventsPerMention, mentionsPerMille } from "./kinds.ts";

export const commandLine = {
  rate: count("n", "requests a second, 500 by default", 500),
  mentions: count("n", "sends only mentions: n new ones a second, each delivered three times", undefined),
  seconds: count("n", "how long, 60 by default; a warm-up of 10 comes before", undefined),
  quick: flag("15 seconds, warm-up of 5"),
  zones: text("folder", "the repository whose zones run, by default this one", ownRoot),
} as const;

export interface LoadOptions {
  /** Requests a second. */
  readonly rate: number;
  /** New mentions among them. */
  readonly mentions: number;
  /** Whether only the events of mentions are sent. */
  readonly onlyMentions: boolean;
  /** How long is measured, after the warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The repository whose zones run. */
  readonly root: string;
}

/** The options of a run by its command line. */
export function loadOptions({ rate: all, mentions, seconds, quick, zones }: Values<typeof commandLine>): LoadOptions {
  const rate = mentions === undefined ? all : mentions * eventsPerMention;
  return {
    rate,
    mentions: mentions ?? (rate * mentionsPerMille) / 1_000,
    onlyMentions: mentions !== undefined,
    seconds: seconds ?? (quick ? 15 : 60),
    warmUpSeconds: quick ? 5 : 10,
    root: resolve(zones),
  };
}
