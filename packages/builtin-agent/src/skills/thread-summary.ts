import type { ThreadMessage } from "@crosszone/contracts";
import { documentBehind } from "../documents/find-document.ts";
import { findings, LONGEST_QUOTE, type Sentence } from "../documents/findings.ts";
import { sentencesOf } from "../documents/sentences.ts";
import { code, counted, oneLine } from "../message/markdown.ts";
import type { BuiltinSkill } from "../message/skill.ts";

/** The newest messages are read, up to this many characters of each and in total. */
const MOST_MESSAGES = 500;
const MOST_CHARACTERS = 50_000;
const LONGEST_MESSAGE = 5000;

const COMMAND =
  /^(?:summari[sz]e|summary|tl;?dr|recap|sum up|catch me up|what (?:happened|was decided|was said|did i miss|did (?:we|they) decide)|(?:list )?(?:the |all )?(?:action items|open questions|decisions)|要約|まとめ)/i;

/** Summarizes by quoting sentences, never by writing new ones, and says so. */
export const threadSummary: BuiltinSkill = {
  id: "thread-summary",
  name: "Thread summary",
  description:
    "Summarizes the thread, or a text you give, by quoting: who wrote, the central sentences, decisions and questions.",
  examples: [
    "summarize this thread",
    "tl;dr",
    "open questions",
    "summarize: The build broke on Monday. We fixed the build. Ship the fix?",
  ],
  match: (question) => {
    const [command] = COMMAND.exec(question.phrase) ?? [];
    if (command === undefined) return undefined;
    const { thread } = question.input;
    const wantsFile = /\b(?:file|attach|document)/i.test(question.phrase);
    const given = documentBehind(question, command.length, 12);
    const isAttached = given?.name !== undefined;
    if (given !== undefined && (!isAttached || wantsFile || thread.length === 0)) {
      return () => summarizeText(given.text, given.name);
    }
    return () => (thread.length === 0 ? EMPTY_THREAD : summarizeThread(thread));
  },
};

const EMPTY_THREAD =
  "There is nothing to summarize: I got no earlier messages of this thread. To summarize a text, write `summarize:` followed by the text.";

function summarizeText(text: string, name?: string): string {
  const sentences = sentencesOf(text.slice(0, MOST_CHARACTERS)).map((sentence) => ({
    text: sentence,
    author: "",
    isOwn: false,
    message: 0,
  }));
  const title = `**Summary of ${name === undefined ? "the text" : code(name)}** (${counted(sentences.length, "sentence")})`;
  const cut =
    text.length > MOST_CHARACTERS ? [`_I read only the first ${counted(MOST_CHARACTERS, "character")}._`] : [];
  return [title, ...standingOut(sentences), ...cut, METHOD].join("\n\n");
}

function summarizeThread(thread: readonly ThreadMessage[]): string {
  const recent = newest(thread);
  const sentences = recent.flatMap((message, index) =>
    sentencesOf(message.text.slice(0, LONGEST_MESSAGE)).map((text) => ({
      text,
      author: authorOf(message),
      isOwn: message.bot === true,
      message: index,
    })),
  );
  const counts = new Map<string, number>();
  for (const message of recent) counts.set(authorOf(message), (counts.get(authorOf(message)) ?? 0) + 1);
  const people = [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([author, count]) => `${author} (${count})`);
  const cut = recent.length < thread.length ? `, the newest of ${thread.length.toLocaleString("en")}` : "";
  const head = [
    `**Summary of ${counted(recent.length, "message")}**${cut}`,
    `From ${people.slice(0, 20).join(", ")}${people.length > 20 ? " and others" : ""}`,
  ].join("\n");
  return [head, ends(recent), ...standingOut(sentences), METHOD].filter((part) => part !== "").join("\n\n");
}

function standingOut(sentences: readonly Sentence[]): string[] {
  const found = findings(sentences);
  return found.length === 0 ? ["It is too short to pick out sentences."] : found;
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

function ends(messages: readonly ThreadMessage[]): string {
  const [first, last] = [messages[0], messages.at(-1)];
  const quote = (label: string, message: ThreadMessage): string =>
    `- **${label}:** ${authorOf(message)}: ${oneLine(message.text, LONGEST_QUOTE) || "(no text)"}`;
  if (first === undefined || last === undefined) return "";
  return messages.length === 1 ? quote("Only message", first) : `${quote("First", first)}\n${quote("Last", last)}`;
}

/** A mention when the user id is a Slack id; Slack shows it as the person's name. */
function authorOf({ user, bot }: ThreadMessage): string {
  if (bot === true) return "this app";
  if (user === undefined || user === "") return "somebody";
  return /^[UW][A-Z\d]{2,20}$/.test(user) ? `<@${user}>` : code(user, 40);
}

const METHOD =
  "_How this was made: I picked sentences that share the most frequent words, or contain words such as “decided” or a question mark. I used no language model and wrote nothing new._";
