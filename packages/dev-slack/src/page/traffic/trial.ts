import type { Forgery } from "../../control/protocol.ts";

/** What the app answered to something that it should refuse. `status` is 0 when no answer came. */
export interface TrialAnswer {
  status: number;
  ms: number;
}

/** A sentence with its colour: the wall held, it did not, or there is nothing to judge. */
export interface Verdict {
  held: boolean | undefined;
  sentence: string;
}

/** The forgeries that have a button, with what is wrong with each. */
export const forgeries: Readonly<Partial<Record<Forgery["kind"], { label: string; fault: string }>>> = {
  wrong_secret: { label: "Forge signature", fault: "it was signed with another secret" },
  stale: { label: "Stale (6 min)", fault: "it is signed correctly, but six minutes old" },
  future: { label: "From the future", fault: "it is signed correctly, but dated in the future" },
};

/** What came of a forged request. Only a 4xx is right: 2xx let it in, 5xx or silence is a failure of another kind. */
export function forgeryVerdict(kind: Forgery["kind"], { status, ms }: TrialAnswer): Verdict {
  const fault = forgeries[kind]?.fault ?? "it is forged";
  if (status === 0) return silence;
  if (status >= 400 && status < 500)
    return { held: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms, because ${fault}.` };
  return { held: false, sentence: `Not refused: the app answered ${status}, although ${fault}.` };
}

/** What came of delivering the last event again, with the number of bot messages that appeared afterwards. */
export function replayVerdict({ status, ms }: TrialAnswer, answers: number): Verdict {
  if (status === 0) return silence;
  if (status >= 400) return { held: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms. No second answer.` };
  if (answers === 0)
    return { held: true, sentence: `Seen before: ${status} in ${Math.round(ms)} ms, no second answer.` };
  const messages = answers === 1 ? "a new bot message" : `${answers} new bot messages`;
  return {
    held: undefined,
    sentence: `The app answered ${status}, and ${messages} came meanwhile: look at the thread.`,
  };
}

const silence: Verdict = { held: undefined, sentence: "No answer: is the verification zone running?" };
