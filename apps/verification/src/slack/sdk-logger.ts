import { LogLevel, type Logger as SlackLogger } from "@slack/bolt";

/**
 * Makes a logger for Slack's packages that passes on their warnings and errors as remarks; the zone logs what they mean elsewhere. Only the
 * beginning of the first text is kept, because the rest may quote a message. Debug output is dropped, because it contains whole events.
 */
export function createSdkLogger(onRemark: (level: "warn" | "error", text: string) => void): SlackLogger {
  const say =
    (level: "warn" | "error") =>
    (...parts: unknown[]): void => {
      const [first] = parts;
      const text = first instanceof Error ? first.name : String(first);
      onRemark(level, text.split(":", 1).join("").slice(0, 120));
    };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: say("warn"),
    error: say("error"),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
