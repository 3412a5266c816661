import { randomUUID } from "node:crypto";
import { newSlackId, type SlackClock } from "./slack-clock.ts";
import type { Storage } from "./storage.ts";

/** A file of the workspace. Without `bytes`, its upload is announced but not complete. */
export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** Bytes, as announced or as uploaded. */
  size: number;
  user: string;
  /** Unix seconds. */
  created: number;
  bytes?: Buffer;
  /** Set for a remote file: Slack links to it and has no bytes. */
  externalUrl?: string;
  altText?: string | undefined;
  /** The members of its kind, such as a voice clip's, in the format of the Web API. */
  members?: Record<string, unknown>;
  /** Ids of the channels where it is shared; their members can see it. */
  sharedIn: string[];
}

/** Stores the files' bytes and the tickets of announced uploads. */
export interface FileStore {
  /** Adds a file with its bytes. */
  add(file: Pick<StoredFile, "name" | "mimetype" | "user" | "externalUrl" | "members"> & { bytes: Buffer }): StoredFile;
  /** Announces an upload; the ticket is valid for one upload of exactly `size` bytes. */
  announce(file: Pick<StoredFile, "name" | "size" | "user" | "altText">): { file: StoredFile; ticket: string };
  /** Stores the bytes of an announced upload. Returns `unknown` for a used or invalid ticket. */
  receive(ticket: string, bytes: Buffer): "ok" | "unknown" | "wrong_size";
  /** Adds the channel to those where the file is shared. */
  share(file: StoredFile, channel: string): void;
  find(id: string): StoredFile | undefined;
}

export function createFileStore(clock: SlackClock, { keep }: Storage): FileStore {
  const files = keep<StoredFile>("files");
  /** The id of each announced file. */
  const tickets = keep<string>("tickets");

  function create(file: Omit<StoredFile, "id" | "title" | "created" | "sharedIn">): StoredFile {
    const stored: StoredFile = {
      ...file,
      id: newSlackId("F"),
      title: file.name,
      created: clock.seconds(),
      sharedIn: [],
    };
    files.set(stored.id, stored);
    return stored;
  }

  return {
    // A browser sends octet-stream for unknown types; Slack then uses the name.
    add: ({ mimetype, ...file }) =>
      create({
        ...file,
        mimetype: mimetype === "application/octet-stream" ? mimetypeOf(file.name) : mimetype,
        size: file.bytes.length,
      }),
    announce: ({ name, ...announced }) => {
      const file = create({ name, ...announced, mimetype: mimetypeOf(name) });
      const ticket = randomUUID();
      tickets.set(ticket, file.id);
      return { file, ticket };
    },
    receive: (ticket, bytes) => {
      const file = files.get(tickets.get(ticket) ?? "");
      if (!file) return "unknown";
      if (bytes.length !== file.size) return "wrong_size";
      tickets.delete(ticket);
      file.bytes = bytes;
      files.set(file.id, file);
      return "ok";
    },
    share: (file, channel) => {
      file.sharedIn.push(channel);
      files.set(file.id, file);
    },
    find: (id) => files.get(id),
  };
}

const MIMETYPES: Record<string, string> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  webp: "image/webp",
  zip: "application/zip",
};

function mimetypeOf(name: string): string {
  return MIMETYPES[fileTypeOf(name)] ?? "application/octet-stream";
}

/** Returns Slack's `filetype`: the extension in lower case, or `binary`. */
export function fileTypeOf(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "binary";
}
