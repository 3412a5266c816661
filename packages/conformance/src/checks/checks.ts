import type { A2AAgent } from "../a2a/a2a-agent.ts";
import type { Check } from "../run/check.ts";
import { answerChecks } from "./answers.ts";
import { artifactChecks } from "./artifacts.ts";
import { cardDetailChecks } from "./card-details.ts";
import { cardChecks } from "./card.ts";
import { envelopeChecks } from "./envelope.ts";
import { errorChecks } from "./errors.ts";
import { historyChecks } from "./history.ts";
import { requestChecks } from "./requests.ts";
import { taskChecks } from "./tasks.ts";
import { versionChecks, versionSpoken } from "./versions.ts";

/** The checks of both versions of A2A. A check stands after those that it needs. */
export const a2aChecks: readonly Check<A2AAgent>[] = [
  ...envelopeChecks,
  ...cardChecks,
  ...cardDetailChecks,
  versionSpoken,
  ...answerChecks,
  ...artifactChecks,
  ...taskChecks,
  ...historyChecks,
  ...errorChecks,
  ...requestChecks,
  ...versionChecks,
];
