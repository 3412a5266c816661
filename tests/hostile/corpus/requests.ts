import { type HostileBody, inPlaces, requestText, taskText, textBodies, textBody } from "../hostile-body.ts";

const typed = ["null", "true", "0", "-1", "1.5", '""', '"x"', '"2.0"', "2.0", "[]", "{}", "[null]", "[{}]", '{"a":1}'];
const members = ["jsonrpc", "method", "params", "id"];
const blank = ["", " ", "\t", "\n", "\r\n", "   \n\t\r ", " ".repeat(10_000)];
const long = (text: string, ...lengths: readonly number[]): string[] => lengths.map((count) => text.repeat(count));
const inQuotes = (text: string): string => `"${text}"`;
const taskIds = ["", " ", ...long("i", 255, 256, 500_000), "__proto__", "constructor"].map(inQuotes);

/** JSON that is not a request, and requests whose members have every type and size. */
export const envelopes: readonly HostileBody[] = [
  ...inPlaces("type", [...typed, '"list_agents"'], "alone", "as id", "as method", "as version", "as params"),
  ...inPlaces("type", typed, "as a task's id", "as a task's params", "as a task's text"),
  ...textBodies("blank", [...blank, "\n".repeat(1_000_000)]),
  ...textBodies(
    "blank around",
    blank.map((space) => `${space}${requestText({})}${space}`),
  ),
  ...textBodies(
    "member missing",
    members.flatMap((member) => [requestText({ [member]: "" }), `{"${member}":"2.0"}`]),
  ),
  ...textBodies("answer instead of a request", [
    '{"jsonrpc":"2.0","result":1,"id":1}',
    '{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null}',
  ]),
  ...textBodies(
    "notification",
    ["execute_task", "list_agents", "cancel_task", "no_such_method"].map((method) =>
      requestText({ method: inQuotes(method), id: "" }),
    ),
  ),
  ...inPlaces("long", long("i", 255, 256, 1_000, 1_000_000).map(inQuotes), "as id", "as method"),
  ...inPlaces("id", [...taskIds, "-0", "1e15", "9007199254740992"], "as a task's id"),
  ...textBodies(
    "unknown agent",
    long("a", 1, 1_000, 500_000).map((agent) =>
      taskText({ id: `"agent-${agent.length}"`, rest: `,"agent":"${agent}"` }),
    ),
  ),
];

const one = requestText({});
const batch = (...entries: readonly string[]): string => `[${entries.join(",")}]`;
const many = (length: number, entry: string): string => `[${Array.from({ length }, () => entry).join(",")}]`;

/** What is between or around documents in other formats: separators, comments, and the frames of other protocols. */
const separators = ["", " ", "\n", "\r\n", ",", ";", ")", "x", "1", "null", "\u0000", "\u001e"];
const comments = ["// a\n", "/* a */", "/*", "# a\n", "<!-- a -->", "--"];
const frames = [
  ")]}',\n",
  "while(1);",
  "data: ",
  `Content-Length: ${one.length}\r\n\r\n`,
  `${one.length}\r\n`,
  "POST /rpc HTTP/1.1\r\nHost: a\r\n\r\n",
];

/** Batches, lines of JSON, concatenated documents, and comments between them. */
export const severalMessages: readonly HostileBody[] = [
  ...textBodies("batch of other values", [
    "[]",
    "[ ]",
    "[null]",
    "[[]]",
    "[[[]]]",
    "[{}]",
    "[1,2,3]",
    '[""]',
    "[true]",
  ]),
  ...textBodies("batch", [
    batch(one),
    batch(one, one),
    batch(one, "1"),
    batch("null", one),
    batch(one, batch(one)),
    `[${one},`,
    `[${one}`,
    many(100, one),
    many(101, one),
    many(10_000, one),
    ...["1", "[]", "{}"].map((entry) => many(300_000, entry)),
  ]),
  ...textBodies(
    "several documents",
    [...separators, ...comments, ...frames].flatMap((text) => [
      `${text}${one}`,
      `${one}${text}`,
      `${one}${text}${one}`,
      `{${text}${one.slice(1)}`,
    ]),
  ),
];

const ofObjects = [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Function.prototype)];
const inherited = [...new Set(ofObjects), "prototype", "toJSON", "then", "0", "-1", ""];
const ofOthers = ["rpc.discover", "rpc.", "system.listMethods", "message/send", "tasks/get", "../execute_task"];
const misspelled = ["execute_task ", " execute_task", "EXECUTE_TASK", "execute_task\\u0000", "execute_tas\\u006b"];
const prototypes = ["null", "[]", "1", '{"a":true}', '{"channel":"C","text":"t","bot_token":"h"}', '{"toString":1}'];
const polluting = [
  ...prototypes.map((prototype) => `{"__proto__":${prototype}}`),
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1,"toJSON":1,"hasOwnProperty":1,"then":1,"length":-1}',
  '{"__proto__":{"__proto__":{"__proto__":{}}}}',
  '["__proto__"]',
];

const twice = (name: string, value: string): string =>
  `{"${name}":${value},${requestText({}).slice(1, -1)},"${name}":${value}}`;
const namesOf = (count: number, nameOf: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${nameOf(index)}":0`).join(",")}}`;

/** Names that every object inherits, as members and methods; duplicate members; names of all sizes. */
export const memberNames: readonly HostileBody[] = [
  ...inPlaces("name", [...inherited, ...ofOthers, ...misspelled].map(inQuotes), "as method"),
  ...inPlaces("polluting", polluting, "alone", "as params", "as a task's params"),
  ...textBodies("request by prototype", [
    `{"__proto__":${requestText({})}}`,
    `{"jsonrpc":"2.0","__proto__":{"method":"list_agents","id":1}}`,
    `{"jsonrpc":"2.0","method":"list_agents","__proto__":{"id":1}}`,
    `{"jsonrpc":"2.0","method":"list_agents","constructor":1,"id":7}`,
  ]),
  ...textBodies(
    "extra member",
    [...inherited, ...long("k", 10_000, 1_000_000)].map((name) => requestText({ [name]: "1" })),
  ),
  ...textBodies(
    "member twice",
    [...members, "x"].flatMap((name) => [...typed, '"list_agents"'].map((value) => twice(name, value))),
  ),
  ...textBodies("last member counts", [
    '{"id":{},"jsonrpc":"2.0","method":"list_agents","id":"last"}',
    '{"id":"first","jsonrpc":"2.0","method":"list_agents","id":{}}',
    '{"jsonrpc":"2.0","method":"list_agents","id":1,"\\u0069d":2}',
    '{"jsonrpc":"2.0","method":"list_agents","id":1e400,"id":2.50}',
    '{"jsonrpc":"1.0","jsonrpc":"2.0","method":1,"method":"list_agents","id":1}',
  ]),
  ...inPlaces(
    "many names",
    [
      namesOf(30_000, (index) => `k${index}`),
      // Numbers as names are slow in some objects.
      namesOf(30_000, (index) => String((index * 65_536) % 16_777_216)),
      namesOf(50_000, () => "k"),
    ],
    "as params",
  ),
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
const [limit, budget] = [1_048_576, 1_048_000];

/** Returns a task with a megabyte of a value in a member. */
function filled(member: string, item: string): HostileBody {
  const items = Math.floor((budget - 300) / (item.length + 1));
  const rest = `,"${member}":${many(items, item)}`;
  return textBody(`${items} of ${item} in ${member}`, taskText({ id: JSON.stringify(`${member} ${item}`), rest }));
}

/** A megabyte of small valid and invalid values, and bodies at the size limit. */
export const largeValues: readonly HostileBody[] = [
  ...["attachments", "thread", "unknown"].flatMap((member) =>
    ["1", "{}", "[]", "null", '""', '{"text":""}', '{"size":"","id":1,"name":1}'].map((item) => filled(member, item)),
  ),
  ...textBodies("a megabyte", [
    requestText({ method: '"no_such_method"', params: `{"text":"${"a".repeat(budget)}"}` }),
    requestText({ params: `{"x":"${'\\"'.repeat(budget / 2 - 100)}"}` }),
    `{"x":"${"\\\\".repeat(budget / 2 - 100)}","jsonrpc":"2.0","method":"list_agents","id":1e400}`,
  ]),
  ...[-1, 0, 1, 1_000, 4_000_000].map((over) => {
    const text = requestText({ params: '{"x":"*"}' });
    const fill = "a".repeat(limit - text.length + 1 + over);
    return textBody(`a body of ${over} bytes over the limit`, text.replace("*", fill));
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
export const nesting: readonly HostileBody[] = Object.entries(nested).flatMap(([kind, write]) => {
  const values = depths.map(write);
  const notFar = depths.filter((depth) => depth <= 10_000).map(write);
  return [
    ...inPlaces(`nested ${kind}`, values, "alone", "as params"),
    ...inPlaces(`nested ${kind}`, notFar, "as id", "as method", "as version", "in params"),
  ];
});
