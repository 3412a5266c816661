import { LogLevel, type Logger as SlackLogger } from "@slack/bolt";

/**
 * A logger for Slack's own packages that keeps their warnings and errors, as remarks: what they mean is logged where it is known.
 * Only the start of a first text is passed on, for the rest may quote a message, and at debug level they print whole events.
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
