import { requestText, textBody, type HostileBody } from "../hostile-body.ts";

/** Just below the largest body that is taken. */
const budget = 1_048_000;

const task = (rest: string): string =>
  requestText({
    method: '"execute_task"',
    id: `"${rest.slice(0, 40).replaceAll(/\W/g, "-")}"`,
    params: `{"channel":"C","text":"2+2","bot_token":"h",${rest}}`,
  });

function filled(member: string, item: string): HostileBody {
  const items = Math.floor((budget - 300) / (item.length + 1));
  return textBody(
    `${items} of ${item} in ${member}`,
    task(`"${member}":[${Array.from({ length: items }, () => item).join(",")}]`),
  );
}

/** A megabyte of small things, right and wrong, and bodies at the limit of size. */
export const largeValues: readonly HostileBody[] = [
  ...["attachments", "thread", "unknown"].flatMap((member) =>
    ["1", "{}", "[]", "null", '""', '{"text":""}', '{"size":"","id":1,"name":1}'].map((item) => filled(member, item)),
  ),
  textBody(
    "a megabyte of text",
    requestText({ method: '"no_such_method"', params: `{"text":"${"a".repeat(budget)}"}` }),
  ),
  textBody("a megabyte of escapes", requestText({ params: `{"x":"${'\\"'.repeat(budget / 2 - 100)}"}` })),
  textBody(
    "a megabyte of backslashes before a number as id",
    `{"x":"${"\\\\".repeat(budget / 2 - 100)}","jsonrpc":"2.0","method":"list_agents","id":1e400}`,
  ),
  ...[-1, 0, 1, 1_000, 4_000_000].map((over) => {
    const text = requestText({ params: '{"x":"*"}' });
    return textBody(
      `a body of ${over} bytes over the limit`,
      text.replace("*", "a".repeat(1_048_576 - text.length + 1 + over)),
    );
  }),
];
