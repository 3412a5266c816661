import { stripVTControlCharacters } from "node:util";
import { prettyFactory } from "pino-pretty";

/**
 * Makes a line of `turbo watch` readable: turbo's own chatter is dropped, a log line of a service becomes one short line.
 * Nothing means: do not show it.
 */
export function createLineFormatter({
  quiet,
  color,
}: {
  quiet: boolean;
  color: boolean;
}): (line: string) => string | undefined {
  const pretty = prettyFactory({
    colorize: color,
    singleLine: true,
    messageKey: "event",
    ignore: "pid,hostname,zone,correlation_id",
    translateTime: "SYS:HH:MM:ss",
    minimumLevel: quiet ? "warn" : "info",
  });
  return (raw) => {
    const line = stripVTControlCharacters(raw);
    const [, name, text] = /^@crosszone\/([\w-]+):\w+: ?(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) return undefined;
    if (!text.startsWith("{")) return isChatter(text) ? undefined : `${name.padEnd(13)}${text}`;
    const shown = pretty(text)?.trimEnd();
    return shown ? `${name.padEnd(13)}${shown}` : undefined;
  };
}

/** What pnpm, turbo and `node --watch` say about themselves. */
function isChatter(text: string): boolean {
  return text.trim() === "" || /^(cache (bypass|miss|hit)|\$ |> |npm warn|Completed running|Restarting)/.test(text);
}
