import type { ParamProblem } from "@crosszone/contracts";
import { nearName } from "@crosszone/service-kit/text";
import { type Reference, wordsOf } from "../mapping/reference.ts";
import { agentOf, insideOf, membersOf, repeatOf } from "../steps/step-kinds.ts";
import type { SoundSteps } from "./sound-steps.ts";

/** A problem, or a warning: the definition is valid, but probably not what its author means. */
interface MemberFinding {
  readonly message: string;
  readonly isWarning?: boolean;
}

export type Finding = ParamProblem & MemberFinding;

/** What agents over A2A return. Agents of another protocol can return other members. */
const answerMembers = ["text", "artifacts", "response", "message", "metadata", "context_id"];

/** Returns what is wrong with the members in a reference to a step's output, as far as the definition tells. */
export function checkMembers({ path }: Reference, sound: SoundSteps["sound"]): MemberFinding | undefined {
  let at = path.indexOf("output") + 1;
  for (let id: string | undefined = String(path[at - 2]); at > 1 && at < path.length; at += 1) {
    const step = sound.get(id ?? "");
    const name = String(path[at]);
    const lacks = `\`${wordsOf(path.slice(0, at))}\` has no field \`${name}\``;
    if (step === undefined) return undefined;
    if (agentOf(step) !== undefined) {
      const near = answerMembers.includes(name) ? undefined : nearName(name, answerMembers);
      return near === undefined
        ? undefined
        : { message: `${lacks} over A2A; did you mean \`${near}\`?`, isWarning: true };
    }
    const known = membersOf(step);
    if (known?.includes(name)) return undefined;
    if (known !== undefined) return { message: `${lacks}; it has: ${known.join(", ")}` };
    const inside = insideOf(step);
    // Which branch of a conditional runs is not known.
    if (inside.some(({ kind }) => kind === "chain")) return undefined;
    const isLoop = repeatOf(step) !== undefined;
    const ends = new Map(
      inside.flatMap(({ kind, ids, label = "" }) =>
        kind === "set" ? ids.map((one) => [one, one]) : [[label, ids.at(-1)]],
      ),
    );
    if (isLoop && !/^\d+$/.test(name)) return { message: `${lacks}; it is a list, such as [0]` };
    if (!isLoop && !ends.has(name)) return { message: `${lacks}; it has: ${[...ends.keys()].join(", ")}` };
    id = ends.get(isLoop ? "" : name);
  }
  return undefined;
}
