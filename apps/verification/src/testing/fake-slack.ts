import type {
  SlackApi,
  MessageContent,
  SlackAsker,
  SlackChannel,
  SlackFileInfo,
  SlackIdentity,
  SlackMessage,
  SlackTeam,
  SlackThread,
  SlackUser,
  StreamChunk,
  TaskMark,
} from "../slack/slack-api.ts";
import { SlackCallError, type SlackCallFailure } from "../slack/slack-call-error.ts";
import type { HomeView, ModalView } from "@slack/web-api";

/** Runs something before each call of a method, with its arguments. */
export function before<M extends keyof SlackApi>(
  slack: SlackApi,
  method: M,
  run: (...given: Parameters<SlackApi[M]>) => void,
): void {
  const call = slack[method] as (...given: Parameters<SlackApi[M]>) => unknown;
  Object.assign(slack, {
    [method]: (...given: Parameters<SlackApi[M]>) => {
      run(...given);
      return call(...given);
    },
  });
}

export type FakeSlack = ReturnType<typeof createFakeSlack>;

/** Makes an in-memory Slack without HTTP: messages, replies, and failures that tests request. */
export function createFakeSlack() {
  const state = emptyWorkspace();
  const { messages, statuses, notices, directory, groups, handles, modals, homes } = state;
  const faults: { method: keyof SlackApi; error: SlackCallError; anyway: boolean }[] = [];

  async function call<T>(method: keyof SlackApi, work: () => T): Promise<T> {
    state.calls.push(method);
    await Promise.resolve();
    const index = faults.findIndex((fault) => fault.method === method);
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    if (fault === undefined) return work();
    if (fault.anyway) work();
    throw fault.error;
  }

  const api: SlackApi = {
    identity: () => call("identity", () => identity),
    appOf: () => call("appOf", () => "A1"),
    ...messageMethods(state, call),
    ...threadMethods(state, call),
    setSessionStatus: (_thread, status) => call("setSessionStatus", () => void statuses.push(status)),
    team: (id) => call("team", () => (id === "T1" ? { id } : directory.teams[id])),
    user: (id) => call("user", () => (id in directory.users ? directory.users[id] : member)),
    channel: (id) => call("channel", () => (id in directory.channels ? directory.channels[id] : openChannel)),
    tell: ({ channel, thread_ts, user_id, in_thread }, text, blocks) =>
      call(
        "tell",
        () => void notices.push({ channel, thread_ts, user_id, in_thread, text, ...(blocks && { blocks }) }),
      ),
    teams: () => call("teams", () => ({ ids: [] })),
    conversations: ({ types: type }) =>
      call("conversations", () => ({
        ids: [...new Set(messages.map(({ channel }) => channel))].filter(
          (id) => id.startsWith("D") === (type === "im") && /im$|public/.test(type) && type !== "mpim",
        ),
      })),
    permalink: ({ channel, ts }) =>
      call("permalink", () => `https://acme.slack.example/archives/${channel}/p${ts.replace(".", "")}`),
    openDirect: (user) => call("openDirect", () => `D${user}`),
    groupMembers: (group) =>
      call("groupMembers", () => {
        const members = groups[group];
        if (members !== undefined) return members;
        throw new SlackCallError("usergroups.users.list", { failure: "refused", code: "no_such_subteam" });
      }),
    groupHandles: () => call("groupHandles", () => handles),
    openModal: (by, modal) => call("openModal", () => void modals.push({ by, modal })),
    updateModal: (by, modal) => call("updateModal", () => void modals.push({ by, modal })),
    publishHome: (user, view) => call("publishHome", () => void homes.push({ user, view })),
  };
  return {
    ...state,
    ...api,
    /** Adds a person's message. */
    say: (message: Partial<FakeMessage> & { ts: string; text: string }) =>
      void messages.push({ channel: "C1", thread_ts: message.ts, user: "U1", files: [], ...message }),
    /** Makes the next call of a method fail; with `anyway` it takes effect and only its response is lost. */
    failNext: (
      method: keyof SlackApi,
      failure: SlackCallFailure,
      { code = failure, anyway = false, retryAfterMs }: { code?: string; anyway?: boolean; retryAfterMs?: number } = {},
    ) => void faults.push({ method, anyway, error: new SlackCallError(method, { failure, code, retryAfterMs }) }),
    /** The app's own messages in a thread, without those that carry a file. */
    answers: (thread_ts?: string) =>
      messages.filter((one) => one.mark !== undefined && (thread_ts === undefined || one.thread_ts === thread_ts)),
  };
}

export const identity: SlackIdentity = { team_id: "T1", bot_user_id: "UBOT", bot_id: "BBOT" };

/** A full member of the team, and a channel that is not shared. */
export const member: SlackUser = { team_id: "T1", deleted: false, bot: false, guest: false, stranger: false };
export const openChannel: SlackChannel = { archived: false, shared: false };

let count = 0;

/** Returns a Slack timestamp that is later than all before. */
export function newTs(): string {
  count += 1;
  return `1000.${String(count).padStart(6, "0")}`;
}

/** A message in the fake workspace. */
export interface FakeMessage extends SlackThread {
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly files: SlackMessage["files"];
  readonly mark?: TaskMark;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
  readonly bot_id?: string;
  readonly username?: string;
  /** The small line below it. */
  readonly footer?: string;
  /** What people can press below it. */
  readonly controls?: readonly unknown[] | undefined;
  /** The chunks of a streamed message, by call. */
  readonly streamed?: readonly (readonly StreamChunk[])[];
}

/** Returns what the fake workspace contains and has received: nothing. */
const emptyWorkspace = () => ({
  messages: [] as FakeMessage[],
  uploads: [] as { filename: string; content: string; altText?: string }[],
  statuses: [] as string[],
  /** Results of `files.info`, by id. */
  files: new Map<string, SlackFileInfo>(),
  /** Ephemeral messages. */
  notices: [] as (SlackAsker & { readonly text: string; readonly blocks?: readonly unknown[] })[],
  /** Overrides for people and places: by default all people are members, all channels are open, and T1 is the team. */
  directory: {
    teams: {} as Record<string, SlackTeam | undefined>,
    users: {} as Record<string, SlackUser | undefined>,
    channels: {} as Record<string, SlackChannel | undefined>,
  },
  /** Members of user groups by id; groups that are missing cannot be read. */
  groups: {} as Record<string, readonly string[]>,
  /** Handles of user groups by id. */
  handles: new Map<string, string>(),
  /** Modals that were opened or updated, with their trigger or view. */
  modals: [] as { readonly by: string; readonly modal: ModalView }[],
  /** Views of the Home tab, in the order in which they were published. */
  homes: [] as { readonly user: string; readonly view: HomeView }[],
  /** Port methods, in the order of their calls. */
  calls: [] as (keyof SlackApi)[],
  /** Timestamps of live streams. */
  live: new Set<string>(),
  /** Timestamps of messages that were removed. */
  removed: new Set<string>(),
});

type FakeState = ReturnType<typeof emptyWorkspace>;

/** Returns the text of chunks, without tasks. */
export function streamedText(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "markdown_text" ? chunk.text : "")).join("");
}

type Call = <T>(method: keyof SlackApi, work: () => T) => Promise<T>;

/** Makes the methods that post, edit and stream messages. */
function messageMethods(
  { messages, live, removed }: FakeState,
  call: Call,
): Pick<SlackApi, "post" | "update" | "remove" | "startStream" | "appendStream" | "stopStream"> {
  const at = (channel: string, ts: string): number => {
    const index = messages.findIndex((one) => one.channel === channel && one.ts === ts);
    if (index < 0) throw new SlackCallError("a change", { failure: "refused", code: "message_not_found" });
    return index;
  };
  const grow = (channel: string, ts: string, chunks: readonly StreamChunk[]): number => {
    const index = at(channel, ts);
    if (!live.has(ts))
      throw new SlackCallError("a stream", { failure: "refused", code: "message_not_in_streaming_state" });
    const present = messages[index] as FakeMessage;
    messages[index] = {
      ...present,
      text: present.text + streamedText(chunks),
      streamed: [...(present.streamed ?? []), chunks],
    };
    return index;
  };
  const writtenBy = (content: MessageContent): Pick<FakeMessage, "text" | "footer" | "blocks" | "controls"> =>
    "text" in content ? content : { text: content.markdown_text, footer: content.footer, controls: content.controls };

  return {
    post: ({ channel, thread_ts = "" }, { mark, ...content }) =>
      call("post", () => {
        const ts = newTs();
        messages.push({ channel, thread_ts, ts, user: identity.bot_user_id, ...writtenBy(content), files: [], mark });
        return { ts };
      }),
    update: ({ channel, ts }, { mark, ...content }) =>
      call("update", () => {
        const index = at(channel, ts);
        if (live.has(ts))
          throw new SlackCallError("chat.update", { failure: "refused", code: "streaming_state_conflict" });
        messages[index] = { ...(messages[index] as FakeMessage), ...writtenBy(content), mark };
      }),
    remove: ({ channel, ts }) =>
      call("remove", () => {
        messages.splice(at(channel, ts), 1);
        live.delete(ts);
        removed.add(ts);
      }),
    startStream: ({ channel, thread_ts }, { chunks }) =>
      call("startStream", () => {
        const ts = newTs();
        const text = streamedText(chunks);
        const user = identity.bot_user_id;
        messages.push({ channel, thread_ts, ts, user, text, files: [], streamed: [chunks] });
        live.add(ts);
        return { ts };
      }),
    appendStream: ({ channel, ts }, chunks) => call("appendStream", () => void grow(channel, ts, chunks)),
    stopStream: ({ channel, ts }, { chunks = [], mark, footer, controls }) =>
      call("stopStream", () => {
        const index = grow(channel, ts, chunks);
        messages[index] = { ...(messages[index] as FakeMessage), mark, footer, controls };
        live.delete(ts);
      }),
  };
}

/** Makes the methods that read threads, and read and upload files. */
function threadMethods(
  { messages, uploads, files, directory, removed }: FakeState,
  call: Call,
): Pick<SlackApi, "replies" | "upload" | "fileInfo"> {
  return {
    replies: ({ channel, thread_ts, limit, cursor, latest = "9e9", oldest = "0" }) =>
      call("replies", () => {
        if (channel in directory.channels && directory.channels[channel] === undefined)
          throw new SlackCallError("conversations.replies", { failure: "refused", code: "channel_not_found" });
        // A message with replies stays as a tombstone.
        const isGone = removed.has(thread_ts ?? "") && !messages.some((one) => one.thread_ts === thread_ts);
        if (isGone) throw new SlackCallError("conversations.replies", { failure: "refused", code: "thread_not_found" });
        const all = messages
          .filter((one) => one.channel === channel && (one.thread_ts === (thread_ts ?? "") || one.ts === thread_ts))
          .filter(({ ts }) => ts === thread_ts || (Number(ts) >= Number(oldest) && Number(ts) <= Number(latest)));
        const start = Number(cursor ?? 0);
        const next = start + limit < all.length ? { next_cursor: String(start + limit) } : {};
        return { messages: all.slice(start, start + limit).map((one) => ({ ...one, raw: { ...one } })), ...next };
      }),
    upload: ({ channel, thread_ts = "" }, file) =>
      call("upload", () => {
        const { filename, content, altText } = file;
        const text = Buffer.from(content as string).toString();
        uploads.push({ filename, content: text, ...(altText !== undefined && { altText }) });
        const shared = { id: `F${uploads.length}`, name: file.filename };
        messages.push({ channel, thread_ts, ts: newTs(), user: identity.bot_user_id, text: "", files: [shared] });
      }),
    fileInfo: (id) =>
      call("fileInfo", () => {
        const file = files.get(id);
        if (file === undefined) throw new SlackCallError("files.info", { failure: "refused", code: "file_not_found" });
        return file;
      }),
  };
}
