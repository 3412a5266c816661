import type { PostedFile } from "../protocol/control-api.ts";
import type { User } from "../protocol/workspace.ts";
import { toApiFile } from "../workspace/file-shape.ts";
import type { StoredFile } from "../workspace/file-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Stores a file of a person or an app, shared in a conversation, with the members that Slack gives this kind of file. */
export function storeFile(
  state: WorkspaceState,
  posted: PostedFile,
  sharing: { readonly user: string; readonly channel: string },
): StoredFile {
  const { name, mimetype, content, encoding = "utf8", external_url: externalUrl, kind, plain_text } = posted;
  const bytes = Buffer.from(content, encoding);
  const subtitles = { name: `${name}.vtt`, mimetype: "text/vtt", content: webVtt(plain_text) };
  const isSpoken = kind === "voice" && plain_text !== undefined;
  const vtt = isSpoken && { vtt: toApiFile(storeFile(state, subtitles, sharing), state)["url_private"] };
  const author = state.directory.user(sharing.user);
  const members = kind && { ...MEMBERS[kind]({ ...posted, author }), ...vtt };
  const file = state.files.add({ name, mimetype, user: sharing.user, bytes, externalUrl, members });
  state.files.share(file, sharing.channel);
  return file;
}

const webVtt = (words = ""): string => `WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n- ${words}\n`;

type Members = (file: PostedFile & { author: User | undefined }) => Record<string, unknown>;

/** The members that differ from those of an uploaded file. See `FileElement` in the response types of `@slack/web-api`. */
const MEMBERS: Record<NonNullable<PostedFile["kind"]>, Members> = {
  voice: ({ plain_text: words }) => {
    const preview = { content: words?.slice(0, 100), has_more: Number(words?.length) > 100 };
    const transcription =
      words === undefined ? { status: "processing" } : { status: "complete", locale: "en-US", preview };
    return { subtype: "slack_audio", media_display_type: "audio", duration_ms: 4_000, transcription };
  },
  email: ({ name, content, plain_text = content, author }) => ({
    mode: "email",
    filetype: "email",
    subject: name,
    cc: [],
    from: [{ address: author?.email, name: author?.real_name, original: `${author?.real_name} <${author?.email}>` }],
    to: [{ address: "inbox@example.com", name: "", original: "inbox@example.com" }],
    headers: { date: new Date().toUTCString(), message_id: "<1@example.com>", in_reply_to: null, reply_to: null },
    plain_text,
    preview_plain_text: plain_text.slice(0, 200),
  }),
  canvas: () => ({ mode: "quip", filetype: "quip", pretty_type: "Canvas", mimetype: "application/vnd.slack-docs" }),
  connect: () => ({ is_stub: true }),
};
