/** What an agent session's own states mean for a reader; the others say that nothing is going on. */
const sessionStates: Readonly<Record<string, string>> = {
  processing: "is working…",
  suspended: "is waiting for you",
  active: "",
  closed: "",
};

/**
 * The status of a thread as a sentence: the app's name and what it said of itself (`is thinking…`), or what the state
 * of its agent session means. Empty when there is nothing to say.
 */
export function statusSentence(app: string, status: string): string {
  const words = Object.hasOwn(sessionStates, status) ? sessionStates[status] : status;
  return words ? `${app} ${words}` : "";
}
