import { hideSecrets } from "@crosszone/service-kit";

/** The most text of an agent in a message for people, UTF-16 units. */
const mostUnits = 1_000;

/** Longer text is searched for secrets only up to here. */
const searchedUnits = 4_000;

/**
 * Returns an agent's text for use in a message: one line, without secrets, of limited length. Undefined when it is
 * empty.
 */
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
