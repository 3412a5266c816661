/** What angle brackets hold in Slack's text. https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages */
const bracketed = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * Turns Slack's own notation into what the person typed: mentions of the bot are taken away, links and channels become readable,
 * `&amp;`, `&lt;` and `&gt;` are undone. Mentions of other people stay as `<@U…>`.
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

/** The people whom a text mentions, in order. */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, user = ""]) => user);
}
