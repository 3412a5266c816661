import type { FileObject } from "../protocol/workspace.ts";
import { fileTypeOf } from "./file-store.ts";
import type { StoredFile } from "./file-store.ts";
import type { WorkspaceState } from "./workspace-state.ts";

/** Returns the file in the format of the control API and of messages. */
export function toFileObject(file: StoredFile, state: WorkspaceState): FileObject {
  const { id, name, mimetype, size, altText } = file;
  const alt = altText !== undefined && { alt_txt: altText };
  return { id, name, mimetype, size, ...alt, url_private_download: privateUrl(file, state, "download/") };
}

/** Returns the file in the format of events and the Web API. See https://docs.slack.dev/reference/objects/file-object */
export function toApiFile(file: StoredFile, state: WorkspaceState): Record<string, unknown> {
  const { team } = state.directory.workspace;
  const kind = fileTypeOf(file.name);
  const ofKind = (...kinds: string[]): string[] =>
    file.sharedIn.filter((id) => kinds.includes(state.directory.channel(id)?.kind ?? ""));
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: kind,
    pretty_type: kind.toUpperCase(),
    user: file.user,
    user_team: team.id,
    editable: false,
    size: file.size,
    mode: file.externalUrl === undefined ? "hosted" : "external",
    is_external: file.externalUrl !== undefined,
    external_type: file.externalUrl === undefined ? "" : "app",
    is_public: ofKind("channel").length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: "",
    url_private: privateUrl(file, state, ""),
    url_private_download: privateUrl(file, state, "download/"),
    media_display_type: "unknown",
    permalink: `${state.url}/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    channels: ofKind("channel"),
    groups: ofKind("group"),
    ims: ofKind("im", "mpim"),
    has_rich_preview: false,
    file_access: "visible",
    ...(file.altText !== undefined && { alt_txt: file.altText }),
    ...file.members,
  };
}

/** Returns the file as messages have it. See https://docs.slack.dev/apis/slack-connect/using-slack-connect-file-access */
export function toSharedFile(file: StoredFile, state: WorkspaceState): Record<string, unknown> {
  if (file.members?.["is_stub"] !== true) return toApiFile(file, state);
  return { id: file.id, created: 0, timestamp: 0, user: "", mode: "file_access", file_access: "check_file_info" };
}

function privateUrl(file: StoredFile, state: WorkspaceState, folder: string): string {
  if (file.externalUrl !== undefined) return file.externalUrl;
  return `${state.url}/files-pri/${state.directory.workspace.team.id}-${file.id}/${folder}${encodeURIComponent(file.name)}`;
}
