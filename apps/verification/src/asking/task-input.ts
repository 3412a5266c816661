import type { Attachment, ExecuteTaskParams, ThreadMessage, UnreadableContent } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Question } from "../inbox/records.ts";
import type { Limits } from "../limits.ts";
import { type AccessPolicy, postsForPerson } from "../policy/rules.ts";
import { asCarried, isAllowedType, mediaTypeOf } from "../slack/files/read-file.ts";
import { type Names, namesIn, withNames } from "../slack/notation.ts";
import { isOwnMessage, readMessage } from "../slack/reading/read-message.ts";
import { pagesOf, type SlackApi, type SlackFile, type SlackIdentity, type SlackMessage } from "../slack/slack-api.ts";
import { type FileRefusal, fileRefusals } from "../slack/file-refusals.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";

/** The files of a task. */
interface TaskFiles {
  /** What the task can read, or why it can't: the files of the question, then those of the thread. */
  readonly attachments: readonly Attachment[];
  /** The messages of the thread, with all their files. */
  readonly thread: readonly ThreadMessage[];
}

interface ReadingOptions {
  readonly policy: AccessPolicy;
  /** Timeout, milliseconds. After it, what was read by then counts. */
  readonly timeoutMs: number;
  /** Called when a call failed, or the timeout expired. */
  readonly onFailure: (error: unknown) => void;
}

/** Files that Slack does not describe in time are named by their id. */
interface TaskFilesDeps extends ReadingOptions {
  readonly slack: SlackApi;
  readonly limits: Limits;
}

/** Most files of the thread that a task can read, and how many of them are of its first message. */
const mostOfThread = 10;
const mostOfRoot = 5;

/** A file with the message that it came with. */
interface SentFile {
  readonly file: SlackFile;
  readonly by: { readonly user?: string; readonly name?: string };
}

/**
 * Decides which files a task can read: those of its question, of the thread's first message, and of the newest messages. Files that the
 * requester did not add are marked as content of others.
 */
export async function taskFiles(
  deps: TaskFilesDeps,
  record: Question,
  history: { readonly messages: readonly ThreadMessage[]; readonly files: readonly SlackFile[] },
): Promise<TaskFiles> {
  const asked = history.files.map((file): SentFile => ({ file, by: { user: record.user_id } }));
  const [root = [], ...replies] = history.messages.map((by) =>
    (by.files ?? []).map((file): SentFile => ({ file, by })),
  );
  const newest = [root, ...replies].toReversed().flat();
  const known = new Set(asked.map(({ file }) => file.id));
  const ofThread = [...root.slice(0, mostOfRoot), ...newest].filter(({ file: { id } }) => {
    if (id === undefined || known.has(id)) return false;
    return known.add(id);
  });
  const chosen = [...asked, ...ofThread.slice(0, mostOfThread)];
  const looked = await lookUpStubs(deps, chosen);
  // Without the content, unless the message has it as text, and without the URL.
  const describe = ({ file, by }: SentFile): Attachment => {
    const described = looked.get(file.id) ?? file;
    const { id, name, mime_type, size, text, user = by.user, refusal = refusalBy(deps, described) } = described;
    const others = described.others === true || user !== record.user_id;
    return {
      id,
      name,
      mime_type,
      size,
      text,
      others: others || undefined,
      author: others ? (described.author ?? (user === by.user ? by.name : undefined)) : undefined,
      unreadable: refusal && fileRefusals[refusal].advice,
    };
  };
  const thread = history.messages.map((by): ThreadMessage => {
    const files = by.files?.map((file) => ({ ...describe({ file, by }), text: undefined }));
    return { ...by, files };
  });
  return { attachments: chosen.map(describe), thread };
}

/** Asks Slack for the files that it did not describe in their messages. Returns them by id. */
async function lookUpStubs(
  { slack, timeoutMs, onFailure }: TaskFilesDeps,
  files: readonly SentFile[],
): Promise<ReadonlyMap<string | undefined, SlackFile>> {
  const found = new Map<string | undefined, SlackFile>();
  const stubs = files.flatMap(({ file: { id, is_stub } }) => (is_stub === true && id !== undefined ? id : []));
  const lookUp = (id: string): Promise<unknown> =>
    slack.fileInfo(id).then((file) => found.set(id, asCarried(file)), onFailure);
  if (stubs.length > 0) await withTimeout(timeoutMs, () => Promise.all(stubs.map(lookUp))).catch(onFailure);
  return found;
}

function refusalBy({ policy, limits }: TaskFilesDeps, { mime_type, size = 0 }: SlackFile): FileRefusal | undefined {
  if (size > limits.MAX_FILE) return "too_large";
  const isAllowed = mime_type === undefined || isAllowedType(mediaTypeOf(mime_type), policy.file_types);
  return isAllowed ? undefined : "type_not_allowed";
}

/**
 * Returns the parameters of `execute_task` for a question. Files are described without content or URL; execution reads them from this zone
 * with `bot_token`, a handle.
 */
export function taskParams(
  record: Question,
  { text, agent, contextId }: { readonly text: string; readonly agent: string | undefined; readonly contextId: string },
  {
    files,
    history: { names, missing },
    botToken,
  }: {
    readonly files: TaskFiles;
    readonly history: Pick<ThreadHistory, "names" | "missing">;
    readonly botToken: string;
  },
): ExecuteTaskParams {
  const { channel, has_quotes, others = [], unreadable = [] } = record;
  const said = contentWithNames({ text, others: listed(others) }, names);
  return {
    channel,
    ...said,
    // A text that an agent wrote goes to it as it is.
    text: record.offered_by === undefined ? said.text : text,
    has_quotes: has_quotes === true || undefined,
    unreadable: listed([...unreadable, ...missing]),
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: [...files.attachments],
    team_id: record.team_id,
    user_id: record.user_id,
    user_name: names.get(record.user_id),
    context_id: contextId,
    agent,
    offered_by: record.offered_by,
    fire_id: record.is_fire === true ? record.request_id : undefined,
    thread: listed(files.thread),
  };
}

/** What Slack has about a message that its event did not include. */
export interface ThreadHistory {
  /** Earlier messages, oldest first, each with its files. What is missing is marked on the message before it. */
  readonly messages: readonly ThreadMessage[];
  /** Set if there are earlier messages and none could be read. */
  readonly missing: readonly UnreadableContent[];
  /** The files of the message itself. */
  readonly files: readonly SlackFile[];
  /** User ids of the authors in the thread. */
  readonly people: readonly string[];
  /** Names of everyone in the message and in the thread. */
  readonly names: Names;
}

const mostMessages = 200;
const mostCharacters = 100_000;
const pageSize = 200;

/**
 * Reads the messages before a reply, the files of a message whose event may lack them, and names. Best effort: after the timeout the question
 * goes on without the rest. Reads no messages when there is nothing to read.
 */
export async function readThreadHistory(
  { slack, directory, identity }: WorkspaceContext,
  record: Question,
  { policy, timeoutMs, onFailure }: ReadingOptions,
): Promise<ThreadHistory> {
  const { channel, thread_ts, ts } = record;
  const found: SlackMessage[] = [];
  const isReply = ts !== thread_ts;
  let isPartial = isReply;
  if (isReply || record.files_unknown) {
    await withTimeout(timeoutMs, readPages).catch(onFailure);
  }
  const isCut = isPartial;
  const { messages, read, ...history } = toHistory([...found], record, { identity, policy });
  const newestFirst = [{ ...record, user: record.user_id }, ...messages.toReversed()];
  const texts = newestFirst.flatMap(({ user, text, others = [] }) => {
    return [`<@${user}>`, text, ...others.flatMap((one) => [one.text, one.channel ?? ""])];
  });
  const names = await namesIn(texts, directory);
  const named = messages.map((message) => ({
    ...message,
    ...contentWithNames(message, names),
    name: message.name ?? (message.bot === true ? undefined : names.get(message.user ?? "")),
  }));
  const kept = newestReplies(named);
  const missing = isCut && kept.length === 0 ? [{ what: "The earlier messages of this thread", why: notReturned }] : [];
  return { ...history, names, missing, messages: withGaps(kept, { dropped: read - kept.length, isCut }) };

  async function readPages(over: AbortSignal): Promise<void> {
    const pages = isReply ? { limit: pageSize } : { oldest: ts, limit: 1 };
    const range = { channel, thread_ts, latest: ts, ...pages };
    for await (const page of pagesOf((cursor) => slack.replies({ ...range, cursor }))) {
      found.push(...page.messages);
      isPartial = isReply && page.next_cursor !== undefined;
      if (!isPartial || over.aborted) return;
    }
  }
}

const notReturned = "Slack did not return them.";

/** Marks where messages are missing: after the root those that do not fit, and after the last one those that were not read. */
function withGaps(
  [root, ...replies]: readonly ThreadMessage[],
  { dropped, isCut }: { readonly dropped: number; readonly isCut: boolean },
): readonly ThreadMessage[] {
  if (root === undefined) return [];
  const marked = (message: ThreadMessage, what: string, why: string): ThreadMessage => ({
    ...message,
    unreadable: [...(message.unreadable ?? []), { what, why }],
  });
  const next = dropped === 1 ? "The next message of this thread" : `The next ${dropped} messages of this thread`;
  const why = "Only the first message and the newest ones fit.";
  const all = [dropped > 0 ? marked(root, next, why) : root, ...replies];
  const last = all.pop() ?? root;
  return [...all, isCut ? marked(last, "The messages of this thread after this one", notReturned) : last];
}

function toHistory(
  found: SlackMessage[],
  record: Question,
  { identity, policy }: { readonly identity: SlackIdentity; readonly policy: AccessPolicy },
) {
  const { bot_user_id } = identity;
  const itself = found.find(({ ts }) => ts === record.ts);
  const earlier = found.filter(({ ts, mark }) => ts !== record.ts && mark?.state !== "working");
  const isOurs = (message: SlackMessage): boolean => isOwnMessage(message, identity);
  const messages = earlier.map((message): ThreadMessage => {
    const { author, words, hasQuotes, others, files, unreadable } = readMessage(message.raw, bot_user_id);
    const bot = isOurs(message);
    const app = (!bot && author.bot_id !== undefined && !postsForPerson(policy, author)) || undefined;
    return {
      text: words,
      ts: message.ts,
      bot,
      user: author.user,
      app,
      name: app && author.name,
      has_quotes: hasQuotes || undefined,
      others: listed(others),
      files: listed(files.map((file) => ({ ...file }))),
      unreadable: listed(unreadable),
    };
  });
  return {
    messages: newestReplies(messages),
    read: messages.length,
    files: itself === undefined ? record.files : readMessage(itself.raw, bot_user_id).files,
    people: earlier.filter((message) => !isOurs(message)).flatMap(({ user }) => user ?? []),
  };
}

/** Returns the thread's root and the newest replies that fit. */
function newestReplies([root, ...replies]: readonly ThreadMessage[]): ThreadMessage[] {
  if (root === undefined) return [];
  let room = mostCharacters - JSON.stringify(root).length;
  const kept = replies
    .slice(1 - mostMessages)
    .toReversed()
    .filter((message) => (room -= JSON.stringify(message).length) >= 0);
  return [root, ...kept.toReversed()];
}

/** An empty list says nothing. */
const listed = <Item>(items: readonly Item[]): Item[] | undefined => (items.length > 0 ? [...items] : undefined);

function contentWithNames({ text, others }: ThreadMessage, names: Names) {
  const named = others?.map((one) => {
    const { channel } = one;
    return { ...one, text: withNames(one.text, names), channel: channel && withNames(channel, names) };
  });
  return { text: withNames(text, names), others: named };
}
