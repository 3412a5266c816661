/** Angle brackets in Slack's text. https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages */
const bracketed = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * Converts Slack's notation to the text that the person typed: removes mentions of the bot, makes links and channels readable, and
 * unescapes `&amp;`, `&lt;` and `&gt;`. Mentions of other people stay as `<@U…>`.
 */
export function messageText(text: string, botUserId: string): string {
  return text
    .replace(new RegExp(`^\\s*<@${botUserId}(?:\\|[^<>]*)?>\\s*[,:]?`), "")
    .replaceAll(bracketed, (whole: string, ...groups: (string | undefined)[]) => {
      const [sign, target = "", label] = groups;
      if (sign === "@") return target === botUserId ? "" : whole;
      if (sign === "#") return `#${label || target}`;
      if (sign === "!") return label || `@${target.replace(/\^.*$/s, "")}`;
      return linkText(target, label);
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function linkText(target: string, label: string | undefined): string {
  if (!label) return target;
  if (!target.endsWith(label)) return `${label} (${target})`;
  return target.startsWith("mailto:") || target.startsWith("tel:") ? label : target;
}

/** Returns the people that a text mentions, in order. */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, user = ""]) => user);
}
