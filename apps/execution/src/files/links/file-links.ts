/** A file of a task that an agent may fetch by a link. */
export interface LinkedFile {
  readonly task_id: string;
  /** The id of the attachment. */
  readonly file_id: string;
}

export interface NewFileLink extends LinkedFile {
  /** Digest of the team that asked. */
  readonly team: string | undefined;
  /** How long the link is valid, milliseconds. */
  readonly forMs: number;
}

/** Keeps the links by which agents fetch files, for all processes of the zone. */
export interface FileLinks {
  /** Returns a random token for the file. The link is durable when it resolves. */
  readonly add: (link: NewFileLink) => Promise<string>;
  /** Returns the file of a token; undefined for an unknown or expired token, and a minute after the file was first fetched whole. */
  readonly find: (token: string) => Promise<LinkedFile | undefined>;
  /** Records that the file was fetched whole. Only the first time counts. */
  readonly markFetched: (token: string) => Promise<void>;
}

/** The path under which links are served: this and a token. */
export const fileLinksPath = "/files/";
