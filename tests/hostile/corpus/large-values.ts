import { requestText, textBody, type HostileBody } from "../hostile-body.ts";

/** Just below the size limit of bodies. */
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

/** A megabyte of small valid and invalid values, and bodies at the size limit. */
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

const depths = [10, 60, 61, 62, 63, 64, 65, 66, 100, 1_000, 5_000, 10_000, 32_767, 32_768, 65_536, 100_000];

/** Returns a value nested in this many others of one kind. */
const nested: Record<string, (depth: number) => string> = {
  arrays: (depth) => "[".repeat(depth) + "]".repeat(depth),
  objects: (depth) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
  mixed: (depth) => '[{"a":'.repeat(depth / 2) + "1" + "}]".repeat(depth / 2),
  "arrays without end": (depth) => "[".repeat(depth),
  "objects without end": (depth) => '{"a":'.repeat(depth),
  "ends without a start": (depth) => "]".repeat(depth),
  "wide and deep": (depth) => '[0,{"b":[],"a":'.repeat(depth / 2) + "1" + "},[]]".repeat(depth / 2),
};

/** Nesting below, at and far above the limit, alone and in every member of a request. */
export const nesting: readonly HostileBody[] = Object.entries(nested).flatMap(([kind, write]) =>
  depths.flatMap((depth) => {
    const value = write(depth);
    return [
      textBody(`${depth} ${kind}`, value),
      textBody(`${depth} ${kind} in params`, requestText({ params: value })),
      ...(depth > 10_000
        ? []
        : ["id", "method", "jsonrpc", "extra"].map((member) =>
            textBody(`${depth} ${kind} in ${member}`, requestText({ [member]: value })),
          )),
    ];
  }),
);
