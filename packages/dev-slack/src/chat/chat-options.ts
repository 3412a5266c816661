import { parseArgs } from "node:util";

/** What the terminal client was asked to do. */
export interface ChatOptions {
  url: string;
  /** Channel name or id, or `dm`. */
  channel: string;
  /** User name or id; the server's first person without it. */
  as: string | undefined;
  /** The thread to write in; a new one without it. */
  thread: string | undefined;
  timeoutMs: number;
  json: boolean;
  /** What to say; empty for a conversation line by line. */
  text: string;
}

export type ParsedArguments =
  { kind: "chat"; options: ChatOptions } | { kind: "help" } | { kind: "usage"; problem: string };

/** How to call the client. */
export const usage = `Talk to Crosszone in the local Slack.

  pnpm chat "2+2 in words?"      ask, wait for the answer, end
  pnpm chat /agents              who can be asked and what can be run: a slash command
  pnpm chat /usage               what you used of language models
  pnpm chat "run publish-text: This is is a text."
                                 run a workflow, and see its steps
  pnpm chat                      a conversation, line by line, in one thread

  --channel <name>     where to write (default: dm, the direct message with Crosszone)
  --as <user>          who writes, by name or id (default: the first person)
  --thread <ts>        write in this thread
  --timeout <seconds>  how long to wait for an answer (default: 120)
  --json               print one JSON document at the end, nothing else
  --url <url>          the local Slack (default: DEV_SLACK_URL, or http://127.0.0.1:3100)
  --help               this text

Ends with 0 answered, 1 answered with a failure, 2 called wrongly, 3 no local Slack there, 4 no answer in time.
`;

/** Reads the command line. `hasTerminal` says whether a person can type; without one there must be a text. */
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
        timeout: { type: "string", default: "120" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const { channel, as, thread, json } = values;
    const url = URL.parse(values.url);
    const seconds = Number(values.timeout);
    const text = positionals.join(" ").trim();
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
      return problem(`--url must be an http address, not ${values.url}`);
    if (!(seconds > 0 && seconds <= 86_400))
      return problem(`--timeout must be a number of seconds above 0, not ${values.timeout}`);
    if (text === "" && (json || !hasTerminal)) return problem("say what to ask");
    return { kind: "chat", options: { url: url.href, channel, as, thread, timeoutMs: seconds * 1000, json, text } };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

function problem(sentence: string): ParsedArguments {
  return { kind: "usage", problem: sentence };
}
