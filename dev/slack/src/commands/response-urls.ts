import { randomBytes } from "node:crypto";

/** The place and the author of a command, for its answers. */
export interface CommandPlace {
  channel: string;
  user: string;
}

/** The issued `response_url`s. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export interface ResponseUrlStore {
  /** Returns the path of a new URL, valid for five answers within half an hour. */
  issue(place: CommandPlace): string;
  /** Uses up one answer; returns Slack's error code if none is left. */
  use(path: string): CommandPlace | "expired_url" | "used_url" | "invalid_url";
}

const MOST_USES = 5;
/** https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands */
const RESPONSE_URL_LIFE_MS = 1_800_000;

export function createResponseUrlStore(team: string, lifeMs: number = RESPONSE_URL_LIFE_MS): ResponseUrlStore {
  const issued = new Map<string, { place: CommandPlace; until: number; left: number }>();
  return {
    issue: (place) => {
      const path = `/commands/${team}/${Date.now()}/${randomBytes(18).toString("base64url")}`;
      issued.set(path, { place, until: performance.now() + lifeMs, left: MOST_USES });
      return path;
    },
    use: (path) => {
      const entry = issued.get(path);
      if (!entry) return "invalid_url";
      if (performance.now() >= entry.until) return "expired_url";
      if (entry.left === 0) return "used_url";
      entry.left -= 1;
      return entry.place;
    },
  };
}
