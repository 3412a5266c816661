import type { ModalView } from "@slack/web-api";
import type {
  MessageContent,
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
import { SlackCallError } from "../slack/slack-call-error.ts";

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

/** What the fake workspace contains and has received. */
export interface FakeState {
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
  /** Members of user groups by id; groups that are missing cannot be read. */
  readonly groups: Record<string, readonly string[]>;
  /** Handles of user groups by id. */
  readonly handles: Map<string, string>;
  /** Modals that were opened or updated, with their trigger or view. */
  readonly modals: { readonly by: string; readonly modal: ModalView }[];
  /** Port methods, in the order of their calls. */
  readonly calls: (keyof SlackApi)[];
  /** Timestamps of live streams. */
  readonly live: Set<string>;
}

/** Returns the text of chunks, without tasks. */
export function streamedText(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "markdown_text" ? chunk.text : "")).join("");
}

type Call = <T>(method: keyof SlackApi, work: () => T) => Promise<T>;
type MessageMethods = Pick<SlackApi, "post" | "update" | "remove" | "startStream" | "appendStream" | "stopStream">;

/** Makes the methods that post, edit and stream messages. */
export function messageMethods({ messages, live }: FakeState, call: Call): MessageMethods {
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
export function threadMethods(
  { messages, uploads, files }: FakeState,
  call: Call,
): Pick<SlackApi, "replies" | "upload" | "fileInfo"> {
  return {
    replies: ({ channel, thread_ts, limit, cursor, latest = "9e9", oldest = "0" }) =>
      call("replies", () => {
        const all = messages
          .filter((one) => one.channel === channel && one.thread_ts === (thread_ts ?? ""))
          .filter(({ ts }) => ts === thread_ts || (Number(ts) >= Number(oldest) && Number(ts) <= Number(latest)));
        const start = Number(cursor ?? 0);
        const next = start + limit < all.length ? { next_cursor: String(start + limit) } : {};
        return { messages: all.slice(start, start + limit).map((one) => ({ ...one, raw: { ...one } })), ...next };
      }),
    upload: ({ channel, thread_ts = "" }, file) =>
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
