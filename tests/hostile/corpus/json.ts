import { paramsBodies, textBodies, type HostileBody, requestText, textBody } from "../hostile-body.ts";

const broken = [
  ...Array.from("{}[]:,\"'`\\/+-.eE"),
  "{]",
  "[}",
  "[,]",
  "[1,]",
  "[,1]",
  "[1,,2]",
  "[1 2]",
  "[1;2]",
  "[1:2]",
  "{,}",
  '{"a"}',
  '{"a":}',
  "{:1}",
  '{"a" 1}',
  '{"a"::1}',
  '{"a":1,}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  "{a:1}",
  "{'a':1}",
  "{1:1}",
  "{null:1}",
  '{"a":1}}',
  "[1]]",
  '{"a":[}',
  '{"a":{]',
  '{"a":1',
  '{"a":',
  '{"a"',
  '{"a',
  "[1",
  "[[1]",
  '"',
  '"a',
  "tru",
  "True",
  "TRUE",
  "nul",
  "NULL",
  "nil",
  "None",
  "fals",
  "undefined",
  "function(){}",
  "new Date()",
  "a",
  "hello world",
  "<html></html>",
  "<?xml version='1.0'?><a/>",
  "jsonrpc=2.0&method=list_agents",
  "%7B%7D",
  "---\njsonrpc: '2.0'",
  "(1)",
  "{...{}}",
  "[...[]]",
  "1+1",
  "`1`",
  "/a/",
  "@",
  "#",
  "$",
  "&",
  "*",
  "~",
  "^",
  "|",
  "!",
  "?",
  "=",
  "\\u007b\\u007d",
  '{"a":1}\\n',
  "\v{}",
  "\f{}",
  "\u00a0{}",
  "\u2028{}",
  "\u3000{}",
  "\u200b{}",
];

/** Every class of syntax error of the JSON grammar. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
export const syntaxErrors: readonly HostileBody[] = [
  ...textBodies("syntax", broken),
  ...paramsBodies("syntax", broken),
];

const request = Buffer.from(
  JSON.stringify({
    jsonrpc: "2.0",
    method: "execute_task",
    params: {
      channel: "C024BE91L",
      text: 'Grüße, 世界 🌍: what is 2+2? "quoted" \\ and \u0001',
      bot_token: "handle-of-a-hostile-test",
      thread_ts: "1731900000.000100",
      attachments: [{ id: "F1", name: "a.txt", mime_type: "text/plain", size: 12.0 }],
      thread: [{ text: "earlier", user: "U1", ts: "1731899999.000100", bot: false }],
    },
    id: "0d5b7c9e-2f41-4a63-9c85-e7a0b1d2f364",
  }),
);

/** A valid request that is cut off, starts late, or misses or repeats a byte, at each byte. */
export const truncations: readonly HostileBody[] = Array.from(request, (_, at) => [
  { name: `cut off after byte ${at}`, bytes: request.subarray(0, at) },
  { name: `begins at byte ${at + 1}`, bytes: request.subarray(at + 1) },
  { name: `without byte ${at}`, bytes: Buffer.concat([request.subarray(0, at), request.subarray(at + 1)]) },
  { name: `byte ${at} twice`, bytes: Buffer.concat([request.subarray(0, at + 1), request.subarray(at)]) },
]).flat();

/** Just below the size limit of bodies. */
const budget = 1_048_000;

const taskWith = (rest: string): string =>
  requestText({
    method: '"execute_task"',
    id: `"${rest.slice(0, 40).replaceAll(/\W/g, "-")}"`,
    params: `{"channel":"C","text":"2+2","bot_token":"h",${rest}}`,
  });

function filled(member: string, item: string): HostileBody {
  const items = Math.floor((budget - 300) / (item.length + 1));
  return textBody(
    `${items} of ${item} in ${member}`,
    taskWith(`"${member}":[${Array.from({ length: items }, () => item).join(",")}]`),
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
