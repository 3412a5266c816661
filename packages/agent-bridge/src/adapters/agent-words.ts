import { hideSecrets } from "@crosszone/service-kit";

/** UTF-16 units of what an agent says that go into a message for people. */
const mostUnits = 1_000;

/** Longer text is not searched for secrets to its end. */
const searchedUnits = 4_000;

/** What an agent says, as it may stand in a message: on one line, without secrets, of bounded length. Undefined when it says nothing. */
export function agentWords(said: unknown): string | undefined {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  if (text === undefined || said === null) return undefined;
  const line = hideSecrets(text.slice(0, searchedUnits))
    // oxlint-disable-next-line no-control-regex -- they would break the line
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
  if (line === "") return undefined;
  return (
    line.length > mostUnits || text.length > searchedUnits ? `${line.slice(0, mostUnits)}…` : line
  ).toWellFormed();
}
