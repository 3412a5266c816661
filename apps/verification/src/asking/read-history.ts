import { retry } from "@crosszone/service-kit/timing";
import type { Inbox } from "../inbox/inbox.ts";
import type { Question } from "../inbox/records.ts";
import type { SweepStore } from "../inbox/sweep-store.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import { followsIn } from "../policy/rules.ts";
import { readNow, slackRetryAfter } from "../showing/send-once.ts";
import { readMessage } from "../slack/reading/read-message.ts";
import { pagesOf, type SlackConversation, type SlackMessage, type ThreadOrChannel } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { readCommand } from "./message-command.ts";

/** What all sweeps work with. */
export interface SweepParts {
  readonly store: SweepStore;
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  /** The Slack channel where operators read what was missed. */
  readonly operatorChannel: string | undefined;
}

/** What the sweep of a workspace works with. */
export interface SweepDeps extends SweepParts {
  readonly workspace: WorkspaceContext;
  /** Aborts when another process must continue. */
  readonly signal: AbortSignal;
}

/** A message of history as Slack sent it. */
export type Raw = SlackMessage["raw"];

/** How long before the gap a message can be whose thread has new replies, unless the app has answered there, milliseconds. */
export const lookBackMs = 7 * 86_400_000;

/** Returns the time of a timestamp of Slack, Unix milliseconds; 0 for anything else. */
export const msOf = (ts: unknown): number => (typeof ts === "string" ? Number(ts) * 1_000 : 0);

/** How calls of history are retried. */
const retries = { firstMs: 1_000, longestMs: 30_000, budgetMs: 120_000, retryAfter: slackRetryAfter };

/** Makes the calls of a workspace's history, which keep Slack's pace. They reject with a `SlackCallError`. */
function createCalls({ workspace: { slack, clock, limits }, signal }: SweepDeps) {
  const freeAt = { list: 0, history: 0, replies: 0 };

  const call = <T>(method: keyof typeof freeAt, run: () => Promise<T>): Promise<T> =>
    retry(
      async () => {
        await clock.sleep(Math.max(0, freeAt[method] - clock.now()), signal);
        freeAt[method] = clock.now() + limits.SWEEP_PACE_MS;
        return run();
      },
      { ...retries, clock, signal },
    );

  const pages = <Page extends { readonly next_cursor?: string | undefined }>(
    method: keyof typeof freeAt,
    read: (cursor?: string) => Promise<Page>,
  ) => pagesOf((cursor) => call(method, () => read(cursor)));

  async function* messages(query: ThreadOrChannel & { readonly oldest?: string }): AsyncGenerator<SlackMessage> {
    const method = query.thread_ts === undefined ? "history" : "replies";
    const read = pages(method, (cursor) => slack.replies({ ...query, cursor, limit: 200 }));
    for await (const page of read) yield* page.messages;
  }

  return { call, pages, messages };
}

/** Makes the functions that choose what may be for the app. */
function createChoice(deps: SweepDeps, messages: ReturnType<typeof createCalls>["messages"]) {
  const { workspace, store, inbox } = deps;
  const { identity, policy } = workspace;

  async function openQuestions(): Promise<readonly Question[]> {
    const { questions } = await inbox.questionsAfter({ at: 0, id: "" }, { ageMs: 0, most: 10_000 });
    return questions.map(({ record }) => record);
  }

  /** Returns the message as its event would be, if it was written after `from`, or edited and then mentions the app. */
  function written(raw: Raw, from: number): Raw[] {
    const { ts, thread_ts, edited } = raw as { readonly [name: string]: unknown; readonly edited?: { ts?: string } };
    if (raw["user"] === identity.bot_user_id) return [];
    const event = { ...raw, thread_ts: thread_ts === ts ? undefined : thread_ts };
    if (msOf(ts) > from) return [{ ...event, edited: undefined }];
    return msOf(edited?.ts) > from && isMentioned(raw) ? [event] : [];
  }

  const isMentioned = (raw: Raw): boolean =>
    readMessage(raw, identity.bot_user_id).mentions.includes(identity.bot_user_id);

  /**
   * Returns the replies that may be for the app: by then, their author had asked there, by a mention, a press or a schedule, or they mention it
   * or are commands.
   */
  async function repliesFor({ id: channel, type }: SlackConversation, thread_ts: string, from: number): Promise<Raw[]> {
    const isForAll = followsIn(policy.current(), channel) === "everybody";
    const heard = new Set<unknown>();
    const found: Raw[] = [];
    const answers = new Map<string, string>();
    for await (const { raw, ts, user, mark } of messages({ channel, thread_ts })) {
      if (mark !== undefined && mark.state !== "working") answers.set(String(mark.correlation_id), ts);
      const { mentions, words } = readMessage(raw, identity.bot_user_id);
      const isMention = mentions.includes(identity.bot_user_id);
      if (isMention || mark?.asker !== undefined) heard.add(mark?.asker ?? user);
      const isHeard = heard.size > 0 && (isForAll || heard.has(user) || readCommand(words).kind !== "ask");
      if (type === "im" || isMention || isHeard) found.push(...written(raw, from));
    }
    if (found.length === 0 || answers.size === 0) return found;
    // Answers that the database does not know were given after the copy of it that was restored.
    const known = await store.known([...answers.keys()]);
    for (const { correlation_id } of await openQuestions()) answers.delete(correlation_id);
    const given = [...answers].flatMap(([reference, ts]) => (known.has(reference) ? [] : [msOf(ts)]));
    return found.filter(({ ts }) => msOf(ts) > Math.max(0, ...given));
  }

  return { openQuestions, written, isMentioned, repliesFor };
}

/** Makes the reader of a workspace's history. Its functions reject with a `SlackCallError`, or if the database is unavailable. */
export function createHistoryReader(deps: SweepDeps) {
  const { slack, identity } = deps.workspace;
  const { team_id } = identity;
  const { call, pages, messages } = createCalls(deps);
  const { openQuestions, written, isMentioned, repliesFor } = createChoice(deps, messages);
  return {
    /** Resolves with the questions of all workspaces that wait or are in work. */
    openQuestions,
    /** Resolves with the conversations of a type that the app is in. */
    conversations: async (type: SlackConversation["type"]): Promise<readonly SlackConversation[]> => {
      const found: SlackConversation[] = [];
      for await (const { ids } of pages("list", (cursor) => slack.conversations({ team_id, types: type, cursor })))
        found.push(...ids.map((id) => ({ id, type })));
      return found;
    },
    /** Resolves with what was written in a conversation after `from`, oldest first. `old`: threads there whose beginning may be older. */
    read: async (conversation: SlackConversation, from: number, old: readonly string[]): Promise<readonly Raw[]> => {
      const { id: channel, type } = conversation;
      const oldest = from - lookBackMs;
      const threads = new Set(old.filter((thread_ts) => msOf(thread_ts) < oldest));
      const found: Raw[] = [];
      for await (const { raw } of messages({ channel, oldest: (oldest / 1_000).toFixed(6) })) {
        const { ts, thread_ts = ts, latest_reply } = raw as Readonly<Record<string, string | undefined>>;
        if (thread_ts !== undefined && (thread_ts !== ts || msOf(latest_reply) > from)) threads.add(thread_ts);
        else if (type === "im" || isMentioned(raw)) found.push(...written(raw, from));
      }
      for (const thread_ts of threads)
        found.push(
          ...(await repliesFor(conversation, thread_ts, from).catch((error: unknown): Raw[] => {
            if (error instanceof SlackCallError && error.code === "thread_not_found") return [];
            throw error;
          })),
        );
      return found.toSorted((one, other) => msOf(one["ts"]) - msOf(other["ts"]));
    },
    /** Resolves with a message as it is now: undefined if it was deleted, `hidden` if the app can't read the conversation. */
    now: (place: Parameters<typeof readNow>[1]) =>
      call("replies", () => readNow(slack, place)).catch((error: unknown) => {
        if (error instanceof SlackCallError && error.failure === "refused") return "hidden" as const;
        throw error;
      }),
  };
}
