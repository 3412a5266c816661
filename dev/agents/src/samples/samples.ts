import { fingerprint } from "./fingerprint.ts";
import { keywords } from "./keywords.ts";
import { proofreader } from "./proofreader.ts";
import type { SampleAgent } from "./sample-agent.ts";

/** Every sample agent: add yours here. */
export const samples: readonly SampleAgent[] = [proofreader, keywords, fingerprint];
