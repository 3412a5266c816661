/** Readable text for the states of an agent session; other states mean that nothing is running. */
const sessionStates: Readonly<Record<string, string>> = {
  processing: "is working…",
  suspended: "is waiting for you",
  active: "",
  closed: "",
};

/**
 * Returns a thread's status as a sentence: the app's name and its own status (`is thinking…`), or the meaning of its agent session's state.
 * Empty if there is nothing to show.
 */
export function statusSentence(app: string, status: string): string {
  const words = Object.hasOwn(sessionStates, status) ? sessionStates[status] : status;
  return words ? `${app} ${words}` : "";
}
