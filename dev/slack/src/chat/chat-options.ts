import { parseArgs } from "node:util";

/** The options of the terminal client. */
export interface ChatOptions {
  url: string;
  /** Channel name or id, or `dm`. */
  channel: string;
  /** User name or id; the server's first person by default. */
  as: string | undefined;
  /** The thread to write in; a new one by default. */
  thread: string | undefined;
  /** Waits as long as it takes by default. */
  timeoutMs: number | undefined;
  json: boolean;
  /** The message; empty for an interactive conversation. */
  text: string;
}

export type ParsedArguments =
  { kind: "chat"; options: ChatOptions } | { kind: "help" } | { kind: "usage"; problem: string };

/** The help text. */
export const usage = `Talk to Crosszone in the local Slack.

  pnpm chat "2+2 in words?"      ask, wait for the answer, exit
  pnpm chat /agents              list agents and workflows (a slash command)
  pnpm chat /usage               show your language model usage
  pnpm chat "run publish-text: This is is a text."
                                 run a workflow and show its steps
  pnpm chat                      start a conversation in one thread

  --channel <name>     where to write (default: dm, the direct message with Crosszone)
  --as <user>          user name or id to write as (default: the first person)
  --thread <ts>        write in this thread
  --timeout <seconds>  how long to wait for an answer (default: until it has ended)
  --json               print only one JSON document at the end
  --url <url>          URL of the local Slack (default: DEV_SLACK_URL, or http://127.0.0.1:3100)
  --help               show this help

Exit codes: 0 answered, 1 answered with a failure, 2 invalid arguments, 3 local Slack unreachable, 4 timeout.
`;

/** Parses the command line. `hasTerminal` is true if a person can type; otherwise the text is required. */
export function parseChatArguments(argv: readonly string[], defaultUrl: string, hasTerminal: boolean): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv].filter((argument, index) => argument !== "--" || index > 0),
      allowPositionals: true,
      options: {
        url: { type: "string", default: defaultUrl },
        channel: { type: "string", default: "dm" },
        as: { type: "string" },
        thread: { type: "string" },
        timeout: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const { channel, as, thread, json } = values;
    const url = URL.parse(values.url);
    const seconds = values.timeout === undefined ? undefined : Number(values.timeout);
    const text = positionals.join(" ").trim();
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
      return problem(`--url must be an HTTP URL, got ${values.url}`);
    if (seconds !== undefined && !(seconds > 0 && seconds <= 86_400))
      return problem(`--timeout must be a number of seconds above 0, at most 86400, got ${values.timeout}`);
    if (text === "" && (json || !hasTerminal)) return problem("a question is required");
    const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
    return { kind: "chat", options: { url: url.href, channel, as, thread, timeoutMs, json, text } };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

function problem(sentence: string): ParsedArguments {
  return { kind: "usage", problem: sentence };
}
