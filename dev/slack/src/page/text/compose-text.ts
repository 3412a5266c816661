import type { User } from "../../control/protocol.ts";

const broadcasts = ["channel", "here", "everyone"];

/**
 * Replaces typed `@names` with mentions: `@alice` becomes `<@U…>`, `@channel` becomes `<!channel>`. Only whole names match, in any case;
 * unknown names and e-mail addresses stay text. The server escapes the rest.
 */
export function composeText(typed: string, users: readonly User[]): string {
  return typed.replace(/(?<![\w.@-])@([\w.-]*\w)/g, (whole, name: string) => {
    const wanted = name.toLowerCase();
    if (broadcasts.includes(wanted)) return `<!${wanted}>`;
    const user = users.find((one) => one.name.toLowerCase() === wanted || one.real_name.toLowerCase() === wanted);
    return user ? `<@${user.id}>` : whole;
  });
}
