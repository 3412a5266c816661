import type { ThreadMessage } from "@crosszone/contracts";
import { onlyAuthor } from "./message-text.ts";
import type { SummaryRequest } from "./summarize.ts";
import {
  cover,
  type DatedMessage,
  dueMessages,
  gapAfter,
  isDated,
  judgeSummary,
  type ThreadMemory,
  type ThreadSummary,
} from "./thread-memory.ts";
import { readThread, type ReadThread } from "./thread-messages.ts";

export interface Recalling {
  /** Slack user id of the requester. */
  readonly userId: string | undefined;
  /** Most tokens of the thread, estimated. */
  readonly mostTokens: number;
  /** When absent, nothing is remembered. */
  readonly memory: ThreadMemory | undefined;
  readonly summarize: (request: SummaryRequest) => Promise<string>;
  /** Receives failures. The question is answered without the missing part. */
  readonly onFailure: (cause: unknown) => void;
}

export interface RecalledThread extends ReadThread {
  /** Summarizes what only the next question would miss, if anything. Never rejects. Repeated calls summarize once. */
  readonly summarizeNext: () => Promise<unknown>;
}

/**
 * Reads the thread of a question, with a summary in place of what is too long. Messages that this question would miss
 * are summarized first. Those that only the next question would miss are left to `summarizeNext`.
 */
export async function recallThread(thread: readonly ThreadMessage[], recalling: Recalling): Promise<RecalledThread> {
  const { memory, userId, mostTokens, onFailure } = recalling;
  const plain = { ...readThread(thread, { userId, mostTokens }), summarizeNext: nothing };
  if (memory === undefined || !isDated(thread)) return plain;
  const kept = await findSummary(thread, memory, onFailure);
  if (kept === "unknown") return plain;
  const read = readThread(thread, { userId, mostTokens, summary: kept });
  const due = dueMessages(thread, { summary: kept, mostTokens });
  if (due.length === 0) return { ...read, summarizeNext: nothing };
  const earlier = kept && { ...kept, text: kept.text + gapAfter(kept, thread) };
  let extending: Promise<ThreadSummary | undefined> | undefined;
  const summarizeNext = () => (extending ??= extend(memory, { earlier, due }, recalling));
  if (read.omitted === 0) return { ...read, summarizeNext };
  const summary = (await summarizeNext()) ?? kept;
  return { ...readThread(thread, { userId, mostTokens, summary }), summarizeNext };
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

async function findSummary(
  thread: readonly DatedMessage[],
  memory: ThreadMemory,
  onFailure: Recalling["onFailure"],
): Promise<ThreadSummary | undefined | "unknown"> {
  try {
    const summary = await memory.find();
    const verdict = summary === undefined ? "holds" : judgeSummary(summary, thread);
    if (verdict === "holds") return summary;
    if (verdict === "unknown") return "unknown";
    await memory.drop();
    return undefined;
  } catch (cause) {
    onFailure(cause);
    return "unknown";
  }
}

async function extend(
  memory: ThreadMemory,
  { earlier, due }: { readonly earlier: ThreadSummary | undefined; readonly due: readonly DatedMessage[] },
  { summarize, onFailure }: Recalling,
): Promise<ThreadSummary | undefined> {
  try {
    const text = await summarize({ earlier: earlier?.text, messages: due });
    const covered = cover(earlier?.covered ?? [], due);
    const authors = new Set(due.map((message) => onlyAuthor(message) ?? null));
    if (earlier !== undefined) authors.add(earlier.author);
    const [author = null] = authors;
    const summary = { text, covered, author: authors.size === 1 ? author : null };
    await memory.keep(summary);
    return summary;
  } catch (cause) {
    onFailure(cause);
    return undefined;
  }
}
