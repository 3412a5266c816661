import type { Question } from "../inbox/records.ts";

let count = 0;

/** Makes a question of a member, in a channel, with unique ids and claims. */
export function questionRecord(more: Partial<Question> = {}): Question {
  count += 1;
  return {
    kind: "ask",
    request_id: `r${count}`,
    correlation_id: `c${count}`,
    claims: [`event ${count}`],
    team_id: "T1",
    teams: ["T1"],
    author_teams: [],
    channel: "C1",
    thread_ts: "1.0",
    in_thread: false,
    ts: "1.0",
    user_id: "U1",
    text: "hi",
    files: [],
    files_unknown: false,
    received_at: 0,
    ...more,
  };
}
