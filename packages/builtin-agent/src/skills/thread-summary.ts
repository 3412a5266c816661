import type { ThreadMessage } from "@crosszone/contracts";
import { code, counted, oneLine } from "../message/markdown.ts";
import type { BuiltinSkill } from "../message/skill.ts";
import { documentBehind, centralSentences, sentencesOf } from "../texts/documents.ts";

/** The newest messages are read, up to this many characters of each and in total. */
const MOST_MESSAGES = 500;
const MOST_CHARACTERS = 50_000;
const LONGEST_MESSAGE = 5000;
/** The longest quotation, characters. */
const LONGEST_QUOTE = 240;
const CENTRAL_SENTENCES = 3;

const COMMAND = /^(?:summari[sz]e|summary|tl;?dr|recap|sum up|要約|まとめ)/i;

/** Summarizes by quoting sentences, never by writing new ones, and says so. */
export const threadSummary: BuiltinSkill = {
  id: "thread-summary",
  name: "Thread summary",
  description: "Summarizes the thread, or a text you give, by quoting: who wrote, and the central sentences.",
  examples: ["summarize this thread", "tl;dr", "summarize: The build broke on Monday. We fixed the build. Ship it?"],
  match: (question) => {
    const [command] = COMMAND.exec(question.phrase) ?? [];
    if (command === undefined) return undefined;
    const { thread } = question.input;
    const given = documentBehind(question, command.length);
    const isFile = given?.name !== undefined;
    if (given !== undefined && (!isFile || thread.length === 0 || /\b(?:file|attach)/i.test(question.phrase))) {
      return () => summarizeText(given.text, given.name);
    }
    return () => (thread.length === 0 ? EMPTY_THREAD : summarizeThread(thread));
  },
};

const EMPTY_THREAD =
  "There is nothing to summarize: I got no earlier messages of this thread. To summarize a text, write `summarize:` followed by the text.";
const METHOD =
  "_How this was made: I picked sentences that share the most frequent words. I used no language model and wrote nothing new._";

function summarizeText(text: string, name?: string): string {
  const sentences = sentencesOf(text.slice(0, MOST_CHARACTERS));
  const title = `**Summary of ${name === undefined ? "the text" : code(name)}** (${counted(sentences.length, "sentence")})`;
  const cut = text.length > MOST_CHARACTERS ? `_I read only the first ${counted(MOST_CHARACTERS, "character")}._` : "";
  return [title, central(sentences), cut, METHOD].filter((part) => part !== "").join("\n\n");
}

function summarizeThread(thread: readonly ThreadMessage[]): string {
  const recent = newest(thread);
  const authors = Map.groupBy(recent, authorOf);
  const people = [...authors].map(([author, messages]) => `${author} (${messages.length})`);
  const cut = recent.length < thread.length ? `, the newest of ${thread.length.toLocaleString("en")}` : "";
  const head = [
    `**Summary of ${counted(recent.length, "message")}**${cut}`,
    `From ${people.slice(0, 20).join(", ")}${people.length > 20 ? " and others" : ""}`,
  ].join("\n");
  const ends = [recent[0], recent.at(-1)].map(
    (message, last) =>
      message && `- **${last ? "Last" : "First"}:** ${authorOf(message)}: ${oneLine(message.text, LONGEST_QUOTE)}`,
  );
  const others = recent.filter(({ bot }) => bot !== true);
  const sentences = others.flatMap(({ text }) => sentencesOf(text.slice(0, LONGEST_MESSAGE)));
  return [head, ends.join("\n"), central(sentences), METHOD].join("\n\n");
}

function central(sentences: readonly string[]): string {
  const chosen = centralSentences(sentences, CENTRAL_SENTENCES);
  if (chosen.length === 0) return "It is too short to pick out sentences.";
  return [`**Central sentences**`, ...chosen.map((text) => `- “${oneLine(text, LONGEST_QUOTE)}”`)].join("\n");
}

function newest(thread: readonly ThreadMessage[]): ThreadMessage[] {
  const taken: ThreadMessage[] = [];
  let characters = 0;
  for (const message of thread.slice(-MOST_MESSAGES).toReversed()) {
    characters += Math.min(message.text.length, LONGEST_MESSAGE);
    if (characters > MOST_CHARACTERS) break;
    taken.push(message);
  }
  return taken.toReversed();
}

/** A mention when the user id is a Slack id; Slack shows it as the person's name. */
function authorOf({ user, bot }: ThreadMessage): string {
  if (bot === true) return "this app";
  if (user === undefined || user === "") return "somebody";
  return /^[UW][A-Z\d]{2,20}$/.test(user) ? `<@${user}>` : code(user, 40);
}
