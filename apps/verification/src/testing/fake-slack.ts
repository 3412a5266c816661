import type {
  SlackApi,
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
import { streamedText } from "./streamed-text.ts";

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
  /** The chunks of a streamed message, by call. */
  readonly streamed?: readonly (readonly StreamChunk[])[];
}

export interface FakeSlack extends SlackApi {
  readonly messages: FakeMessage[];
  readonly uploads: { filename: string; content: string }[];
  readonly statuses: string[];
  /** Results of `files.info`, by id. */
  readonly files: Map<string, SlackFileInfo>;
  /** Ephemeral messages. */
  readonly notices: (SlackAsker & { readonly text: string })[];
  /** Overrides for people and places: by default all people are members, all channels are open, and T1 is the team. */
  readonly directory: {
    readonly teams: Record<string, SlackTeam | undefined>;
    readonly users: Record<string, SlackUser | undefined>;
    readonly channels: Record<string, SlackChannel | undefined>;
  };
  /** Port methods, in the order of their calls. */
  readonly calls: (keyof SlackApi)[];
  /** Timestamps of live streams. */
  readonly live: Set<string>;
  /** The app's own messages in a thread that carry neither a mark nor a file. */
  unmarked(thread_ts?: string): FakeMessage[];
  /** Adds a person's message. */
  say(message: Partial<FakeMessage> & { ts: string; text: string }): void;
  /** Makes the next call of a method fail; with `anyway` it takes effect and only its response is lost. */
  failNext(
    method: keyof SlackApi,
    failure: SlackCallFailure,
    detail?: { code?: string; anyway?: boolean; retryAfterMs?: number },
  ): void;
  /** The app's own messages in a thread, without those that carry a file. */
  answers(thread_ts?: string): FakeMessage[];
}

/** Makes an in-memory Slack without HTTP: messages, replies, and failures that tests request. */
export function createFakeSlack(): FakeSlack {
  const messages: FakeMessage[] = [];
  const uploads: { filename: string; content: string }[] = [];
  const statuses: string[] = [];
  const files = new Map<string, SlackFileInfo>();
  const notices: FakeSlack["notices"] = [];
  const directory: FakeSlack["directory"] = { teams: {}, users: {}, channels: {} };
  const calls: (keyof SlackApi)[] = [];
  const live = new Set<string>();
  const faults: { method: keyof SlackApi; error: SlackCallError; anyway: boolean }[] = [];

  async function call<T>(method: keyof SlackApi, work: () => T): Promise<T> {
    calls.push(method);
    await Promise.resolve();
    const index = faults.findIndex((fault) => fault.method === method);
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    if (fault === undefined) return work();
    if (fault.anyway) work();
    throw fault.error;
  }

  return {
    messages,
    uploads,
    statuses,
    files,
    notices,
    directory,
    calls,
    live,
    unmarked: (thread_ts) =>
      messages.filter(
        (one) =>
          one.user === identity.bot_user_id &&
          one.mark === undefined &&
          one.files.length === 0 &&
          (thread_ts === undefined || one.thread_ts === thread_ts),
      ),
    say: (message) => messages.push({ channel: "C1", thread_ts: message.ts, user: "U1", files: [], ...message }),
    failNext: (method, failure, { code = failure, anyway = false, retryAfterMs } = {}) => {
      faults.push({ method, anyway, error: new SlackCallError(method, { failure, code, retryAfterMs }) });
    },
    answers: (thread_ts) =>
      messages.filter((one) => one.mark !== undefined && (thread_ts === undefined || one.thread_ts === thread_ts)),

    identity: () => call("identity", () => identity),
    appOf: () => call("appOf", () => "A1"),
    ...messageMethods({ messages, live, call }),
    ...threadMethods({ messages, uploads, files, call }),
    setSessionStatus: (_thread, status) => call("setSessionStatus", () => void statuses.push(status)),
    team: (id) => call("team", () => (id === "T1" ? { id } : directory.teams[id])),
    user: (id) => call("user", () => (id in directory.users ? directory.users[id] : member)),
    channel: (id) => call("channel", () => (id in directory.channels ? directory.channels[id] : openChannel)),
    tell: ({ channel, thread_ts, user_id, in_thread }, text) =>
      call("tell", () => void notices.push({ channel, thread_ts, user_id, in_thread, text })),
  };
}

interface MessageState extends Pick<FakeSlack, "messages" | "live"> {
  readonly call: <T>(method: keyof SlackApi, work: () => T) => Promise<T>;
}

type MessageMethods = Pick<SlackApi, "post" | "update" | "startStream" | "appendStream" | "stopStream">;

/** Makes the methods that post, edit and stream messages. */
function messageMethods({ messages, live, call }: MessageState): MessageMethods {
  const at = (channel: string, ts: string): number => {
    const index = messages.findIndex((one) => one.channel === channel && one.ts === ts);
    if (index < 0) throw new SlackCallError("a change", { failure: "refused", code: "message_not_found" });
    return index;
  };
  const grow = (channel: string, ts: string, chunks: readonly StreamChunk[]): number => {
    const index = at(channel, ts);
    if (!live.has(ts))
      throw new SlackCallError("a stream", { failure: "refused", code: "message_not_in_streaming_state" });
    const before = messages[index] as FakeMessage;
    messages[index] = {
      ...before,
      text: before.text + streamedText(chunks),
      streamed: [...(before.streamed ?? []), chunks],
    };
    return index;
  };
  const textOf = (content: { text: string } | { markdown_text: string }): string =>
    "text" in content ? content.text : content.markdown_text;

  return {
    post: ({ channel, thread_ts }, { mark, ...content }) =>
      call("post", () => {
        const ts = newTs();
        messages.push({ channel, thread_ts, ts, user: identity.bot_user_id, text: textOf(content), files: [], mark });
        return { ts };
      }),
    update: ({ channel, ts }, { mark, ...content }) =>
      call("update", () => {
        const index = at(channel, ts);
        if (live.has(ts))
          throw new SlackCallError("chat.update", { failure: "refused", code: "streaming_state_conflict" });
        messages[index] = { ...(messages[index] as FakeMessage), text: textOf(content), mark };
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
    stopStream: ({ channel, ts }, { chunks = [], mark }) =>
      call("stopStream", () => {
        const index = grow(channel, ts, chunks);
        messages[index] = { ...(messages[index] as FakeMessage), mark };
        live.delete(ts);
      }),
  };
}

interface ThreadState extends Pick<FakeSlack, "messages" | "uploads" | "files"> {
  readonly call: MessageState["call"];
}

/** Makes the methods that read threads, and read and upload files. */
function threadMethods({
  messages,
  uploads,
  files,
  call,
}: ThreadState): Pick<SlackApi, "replies" | "upload" | "fileInfo"> {
  return {
    replies: ({ channel, thread_ts, limit, cursor, latest = "9", oldest = "0" }) =>
      call("replies", () => {
        const all = messages
          .filter((one) => one.channel === channel && one.thread_ts === thread_ts)
          .filter(({ ts }) => ts === thread_ts || (ts >= oldest && ts <= latest));
        const start = Number(cursor ?? 0);
        const next = start + limit < all.length ? { next_cursor: String(start + limit) } : {};
        return { messages: all.slice(start, start + limit), ...next };
      }),
    upload: ({ channel, thread_ts }, file) =>
      call("upload", () => {
        uploads.push({ filename: file.filename, content: Buffer.from(file.content as string).toString() });
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
