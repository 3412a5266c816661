/**
 * Thrown for a Web API call that Slack refuses. `code` is Slack's error string; `members` are further members of the response. The response
 * is `{ ok: false, error: code, ...members }` with HTTP status 200.
 */
export class SlackError extends Error {
  override readonly name = "SlackError";
  readonly code: string;
  readonly members: Record<string, unknown>;

  constructor(code: string, members: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.members = members;
  }
}

/** Returns a refusal with Slack's list of problems, e.g. `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`. */
export function errorWithMessages(code: string, problems: readonly string[]): SlackError {
  return new SlackError(code, {
    errors: problems,
    response_metadata: { messages: problems.map((problem) => `[ERROR] ${problem}`) },
  });
}
