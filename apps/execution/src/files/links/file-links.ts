/** A file of a task that an agent can download by a link. */
export interface LinkedFile {
  readonly task_id: string;
  /** The id of the attachment. */
  readonly file_id: string;
}

export interface NewFileLink extends LinkedFile {
  /** Digest of the requester's team. */
  readonly team: string | undefined;
  /** How long the link is valid, milliseconds. */
  readonly forMs: number;
}

/** Stores the links that agents use to download files, for all processes of the zone. */
export interface FileLinks {
  /** Returns a random token for the file. Resolves when the link is durable. */
  readonly add: (link: NewFileLink) => Promise<string>;
  /** Returns the file of a token; undefined when the token is unknown or expired, or a minute after the first complete download. */
  readonly find: (token: string) => Promise<LinkedFile | undefined>;
  /** Records a complete download. Later calls change nothing. */
  readonly markFetched: (token: string) => Promise<void>;
}

/** The path of links. A token follows. */
export const fileLinksPath = "/files/";
