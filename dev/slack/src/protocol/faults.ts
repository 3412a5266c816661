/** What becomes of calls. `unshared`: an upload ends with `ok`, and no conversation ever gets the file. */
export interface Fault {
  /** Web API method, e.g. `chat.postMessage`, or `response_url` for command answers; `*` for any. */
  method: string;
  kind: "rate_limited" | "server_error" | "error" | "hang" | "drop" | "late" | "unshared";
  /** Number of calls that fail. Default 1. */
  times?: number;
  /** For `late`: the call takes effect at once, and its response is delayed by this many milliseconds. Default 3,000. */
  after_ms?: number;
  /** For `rate_limited`, seconds. Default 1. */
  retry_after?: number;
  /** For `error`: Slack's error string, e.g. `channel_not_found`. */
  error?: string;
  /** For all but `late` and `unshared`: the call takes effect and only its response is lost or wrong. Default false. */
  takes_effect?: boolean;
}

/**
 * The response to a download instead of the file: a redirect to another host; the sign-in page, also with the file's own type; bytes of
 * another type; a length that is too long; an endless drip; ten gigabytes, announced or not.
 */
export interface FileFault {
  kind: "redirect" | "sign_in_page" | "disguised_page" | "other_type" | "long_length" | "drip" | "huge" | "endless";
  /** Number of downloads that fail. Default 1. */
  times?: number;
}

export interface Delivery {
  /** How often each event is delivered (same event_id). Default 1. */
  copies: number;
  /** Delay of each delivery, milliseconds. Default 0. */
  delay_ms: number;
  /** Skips the first attempt, so that only retries arrive. Default false. */
  drop_first: boolean;
}

/** What an outage takes from the app. People write, edit and delete messages all the time, and the app can read them afterwards. */
export interface Outage {
  /**
   * `late_events`: attempts to deliver events fail, and Slack retries on its schedule. `lost_events`: events don't reach the app, and Slack
   * doesn't retry. `away`: the same, and all sockets close, calls fail, and commands and interactions don't reach the app.
   */
  kind: "none" | "late_events" | "lost_events" | "away";
}

/** How Slack treats the app's sockets, until it is set again. https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface SocketMode {
  /** False: Socket Mode is off in the app's settings. A new socket gets `link_disabled` in place of its hello. Default true. */
  enabled: boolean;
  /** False: a new socket gets pings, but no hello and no events. Default true. */
  hello: boolean;
  /** Sockets at a time. A further one gets `too_many_websockets` in place of its hello. Default 10, Slack's limit. */
  most: number;
  /** True: open sockets stay open, but nothing is sent or read, as if the other side had lost its network. Default false. */
  half_open: boolean;
}

/** Why Slack ends a socket. It closes the socket itself after ten seconds, or at once if no app may use it. */
export type DisconnectReason = "warning" | "refresh_requested" | "too_many_websockets" | "link_disabled";
