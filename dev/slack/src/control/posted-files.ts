import type { PostedFile } from "../protocol/control-api.ts";
import type { FileObject } from "../protocol/workspace.ts";
import { toApiFile, toFileObject } from "../workspace/file-shape.ts";
import type { StoredFile } from "../workspace/file-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Who shares a file, and where; both by id. */
interface Sharing {
  readonly user: string;
  readonly channel: string;
}

/** Stores a person's file, shared in a conversation, with the members that Slack gives this kind of file. */
export function storeFile(state: WorkspaceState, posted: PostedFile, sharing: Sharing): FileObject {
  return toFileObject(addFile(state, posted, sharing), state);
}

function addFile(state: WorkspaceState, posted: PostedFile, sharing: Sharing): StoredFile {
  const { name, mimetype, content, encoding = "utf8", external_url, kind } = posted;
  const file = state.files.add({
    name,
    mimetype: kind === "canvas" ? "application/vnd.slack-docs" : mimetype,
    user: sharing.user,
    bytes: Buffer.from(content, encoding),
    externalUrl: external_url,
    isStub: kind === "connect",
    members: kind && membersOf(state, { ...posted, kind }, sharing),
  });
  state.files.share(file, sharing.channel);
  return file;
}

/** Returns the members that differ from those of an uploaded file. See the response types of `@slack/web-api`, `FileElement`. */
function membersOf(
  state: WorkspaceState,
  posted: PostedFile & { kind: NonNullable<PostedFile["kind"]> },
  sharing: Sharing,
): Record<string, unknown> {
  const { name, content, plain_text } = posted;
  switch (posted.kind) {
    case "snippet": {
      const lines = content.split("\n");
      const preview = lines.slice(0, 5).join("\n");
      const more = Math.max(0, lines.length - 5);
      return { mode: "snippet", editable: true, preview, lines: lines.length, lines_more: more };
    }
    case "voice":
      return {
        subtype: "slack_audio",
        media_display_type: "audio",
        duration_ms: 4_000,
        transcription: { status: plain_text === undefined ? "processing" : "complete", ...preview(plain_text) },
        ...(plain_text !== undefined && { vtt: subtitles(state, { name, plain_text }, sharing) }),
      };
    case "email": {
      const { user, channel } = sharing;
      const own = state.directory.user(user);
      const to = [{ address: `${channel.toLowerCase()}@example.com`, name: "", original: `${channel}@example.com` }];
      const address = own?.email ?? `${user.toLowerCase()}@example.com`;
      const from = [{ address, name: own?.real_name ?? "", original: `${own?.real_name ?? ""} <${address}>` }];
      const headers = { date: new Date().toUTCString(), message_id: `<${Date.now()}@example.com>` };
      return {
        mode: "email",
        filetype: "email",
        pretty_type: "Email",
        title: name,
        subject: name,
        from,
        to,
        cc: [],
        headers: { ...headers, in_reply_to: null, reply_to: null },
        plain_text: plain_text ?? content,
        preview_plain_text: (plain_text ?? content).slice(0, 200),
        original_attachment_count: 0,
      };
    }
    case "canvas":
      return { mode: "quip", filetype: "quip", pretty_type: "Canvas", editable: true };
    case "connect":
    default:
      return {};
  }
}

/** Returns the start of a transcript; `vtt` has the whole. */
function preview(transcript: string | undefined): object {
  if (transcript === undefined) return {};
  return { locale: "en-US", preview: { content: transcript.slice(0, 100), has_more: transcript.length > 100 } };
}

/** Stores a transcript as WebVTT; returns its private URL. */
function subtitles(
  state: WorkspaceState,
  { name, plain_text }: { name: string; plain_text: string },
  sharing: Sharing,
): unknown {
  const content = `WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n- ${plain_text}\n`;
  return toApiFile(addFile(state, { name: `${name}.vtt`, mimetype: "text/vtt", content }, sharing), state)[
    "url_private"
  ];
}
