import type { Forgery } from "../../control/protocol.ts";
import type { TrialAnswer } from "../state/control-api.ts";

/** A sentence with its colour: the app passed, it failed, or the result is inconclusive. */
export interface Verdict {
  held: boolean | undefined;
  sentence: string;
}

/** The forgeries that have a button, each with its fault. */
export const forgeries: Readonly<Partial<Record<Forgery["kind"], { label: string; fault: string }>>> = {
  wrong_secret: { label: "Forge signature", fault: "it was signed with another secret" },
  stale: { label: "Stale (6 min)", fault: "it is signed correctly, but six minutes old" },
  future: { label: "From the future", fault: "it is signed correctly, but dated in the future" },
};

/** Returns the verdict on a forged request. Only a 4xx is right: a 2xx accepted it, and a 5xx or no response is another failure. */
export function forgeryVerdict(kind: Forgery["kind"], { status, ms }: TrialAnswer): Verdict {
  const fault = forgeries[kind]?.fault ?? "it is forged";
  if (status === 0) return silence;
  if (status >= 400 && status < 500)
    return { held: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms, because ${fault}.` };
  return { held: false, sentence: `Not refused: the app answered ${status}, although ${fault}.` };
}

/** Returns the verdict on a replayed event, from the response and the number of new bot messages. */
export function replayVerdict({ status, ms }: TrialAnswer, answers: number): Verdict {
  if (status === 0) return silence;
  if (status >= 400) return { held: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms. No second answer.` };
  if (answers === 0)
    return { held: true, sentence: `Duplicate detected: ${status} in ${Math.round(ms)} ms. No second answer.` };
  const messages = answers === 1 ? "a new bot message" : `${answers} new bot messages`;
  return {
    held: undefined,
    sentence: `The app answered ${status}, and ${messages} appeared: check the thread.`,
  };
}

const silence: Verdict = { held: undefined, sentence: "No response. Is the verification zone running?" };
