import type { User } from "../../control/protocol.ts";

const broadcasts = ["channel", "here", "everyone"];

/**
 * Turns the `@names` that a person typed into mentions: `@alice` becomes `<@U…>`, `@channel` becomes `<!channel>`.
 * Names are matched whole and in any case; an unknown `@name` and a mail address stay text. The server escapes the rest.
 */
export function composeText(typed: string, users: readonly User[]): string {
  return typed.replace(/(?<![\w.@-])@([\w.-]*\w)/g, (whole, name: string) => {
    const wanted = name.toLowerCase();
    if (broadcasts.includes(wanted)) return `<!${wanted}>`;
    const user = users.find((one) => one.name.toLowerCase() === wanted || one.real_name.toLowerCase() === wanted);
    return user ? `<@${user.id}>` : whole;
  });
}
