import { requestText, textBodies, type HostileBody } from "../hostile-body.ts";

const typed = [
  "null",
  "true",
  "false",
  "0",
  "1",
  "-1",
  "1.5",
  '""',
  '"x"',
  '"2.0"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[{}]",
  '{"a":1}',
  "2.0",
  '"list_agents"',
];
const members = ["jsonrpc", "method", "params", "id"];
const blank = ["", " ", "\t", "\n", "\r\n", "   \n\t\r ", " ".repeat(10_000), "\n".repeat(1_000_000)];

const longId = (length: number): string => requestText({ id: `"${"i".repeat(length)}"` });
const task = (id: string): string =>
  requestText({ id, method: '"execute_task"', params: '{"channel":"C","text":"hello","bot_token":"h"}' });

/** JSON that is not a request, and requests whose members have every type and size. */
export const envelopes: readonly HostileBody[] = [
  ...textBodies("bare value", typed),
  ...textBodies("blank", blank),
  ...textBodies(
    "blank around",
    blank.slice(0, 7).map((space) => `${space}${requestText({})}${space}`),
  ),
  ...members.flatMap((member) =>
    textBodies(
      `${member} of another type`,
      typed.map((value) => requestText({ [member]: value })),
    ),
  ),
  ...members.flatMap((member) =>
    textBodies(
      `execute_task, ${member} of another type`,
      typed.map((value) =>
        requestText({
          method: '"execute_task"',
          params: '{"channel":"C","text":"2+2","bot_token":"h"}',
          [member]: value,
        }),
      ),
    ),
  ),
  ...textBodies(
    "member missing",
    members.map((member) => requestText({ [member]: "" })),
  ),
  ...textBodies(
    "only member",
    members.map((member) => `{"${member}":"2.0"}`),
  ),
  ...textBodies("answer instead of a request", [
    '{"jsonrpc":"2.0","result":1,"id":1}',
    '{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null}',
  ]),
  ...textBodies(
    "notification",
    ["execute_task", "list_agents", "cancel_task", "no_such_method"].map((method) =>
      requestText({ method: `"${method}"`, id: "" }),
    ),
  ),
  ...textBodies("long id", [255, 256, 1_000, 100_000, 1_000_000].map(longId)),
  ...textBodies(
    "id of a task",
    [
      '""',
      '" "',
      `"${"i".repeat(255)}"`,
      `"${"i".repeat(256)}"`,
      `"${"i".repeat(500_000)}"`,
      "null",
      "0",
      "-0",
      "1.5",
      "1e15",
      "9007199254740992",
      '"__proto__"',
      '"constructor"',
    ].map(task),
  ),
  ...textBodies(
    "long method",
    [1_000, 1_000_000].map((length) => requestText({ method: `"${"m".repeat(length)}"` })),
  ),
  ...textBodies(
    "unknown agent",
    [1, 1_000, 500_000].map((length) =>
      requestText({
        id: `"agent-${length}"`,
        method: '"execute_task"',
        params: `{"channel":"C","text":"t","bot_token":"h","agent":"${"a".repeat(length)}"}`,
      }),
    ),
  ),
];

const one = requestText({});
const batch = (...entries: string[]): string => `[${entries.join(",")}]`;

const many = (length: number, entry: string): string => `[${Array.from({ length }, () => entry).join(",")}]`;

/** Batches, lines of JSON, concatenated documents, and comments between them. */
export const severalMessages: readonly HostileBody[] = [
  ...textBodies("batch", [
    "[]",
    "[ ]",
    "[null]",
    "[[]]",
    "[[[]]]",
    "[{}]",
    "[1]",
    "[1,2,3]",
    '[""]',
    "[true]",
    batch(one),
    batch(one, one),
    batch(one, "1"),
    batch("null", one),
    batch(one, batch(one)),
    `${batch(one)}x`,
    `[${one},`,
    `[${one}`,
    many(100, one),
    many(101, one),
    many(10_000, one),
    many(400_000, "1"),
    many(300_000, "[]"),
    many(300_000, "{}"),
  ]),
  ...textBodies("several documents", [
    `${one}${one}`,
    `${one}\n${one}`,
    `${one}\n${one}\n`,
    `${one}\r\n${one}`,
    `${one},${one}`,
    `${one} ${one}`,
    `${one}\u0000`,
    `${one}\u0000${one}`,
    `\u001e${one}\n`,
    `${one}null`,
    `${one}1`,
    `${one};`,
    `${one})`,
    `)]}',\n${one}`,
    `while(1);${one}`,
    `data: ${one}\n\n`,
    `callback(${one})`,
    `Content-Length: ${one.length}\r\n\r\n${one}`,
    `${one.length}\r\n${one}\r\n0\r\n\r\n`,
    `POST /rpc HTTP/1.1\r\nHost: a\r\n\r\n${one}`,
  ]),
  ...textBodies("comment", [
    `// a\n${one}`,
    `/* a */${one}`,
    `${one}// a`,
    `${one}/* a */`,
    `# a\n${one}`,
    `<!-- a -->${one}`,
    `{/* a */"jsonrpc":"2.0"}`,
    `{"jsonrpc":"2.0",// a\n"id":1}`,
    `/*${one}`,
    `--${one}`,
    `;${one}`,
  ]),
];

const inherited = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype).filter((name) => !Object.hasOwn(Object.prototype, name)),
  "prototype",
  "toJSON",
  "then",
  "0",
  "-1",
  "",
];
const methods = [
  ...inherited,
  "rpc.discover",
  "rpc.",
  "execute_task ",
  " execute_task",
  "EXECUTE_TASK",
  "execute_task\\u0000",
  "execute_tas\\u006b",
  "Execute_Task",
  "execute_task,list_agents",
  "../execute_task",
  "system.listMethods",
  "message/send",
  "tasks/get",
];
const polluting = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null}',
  '{"__proto__":[]}',
  '{"__proto__":1}',
  '{"__proto__":{"channel":"C","text":"t","bot_token":"h"}}',
  '{"__proto__":{"toString":1,"valueOf":1}}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '{"hasOwnProperty":1}',
  '{"then":1}',
  '{"length":-1}',
  '{"__proto__":{"__proto__":{"__proto__":{}}}}',
  '["__proto__"]',
];

const twice = (name: string, first: string, second: string): string =>
  `{"${name}":${first},${requestText({}).slice(1, -1)},"${name}":${second}}`;

/** Names that every object inherits, as members and methods; duplicate members; names of all sizes. */
export const memberNames: readonly HostileBody[] = [
  ...textBodies(
    "method",
    methods.map((method) => requestText({ method: `"${method}"` })),
  ),
  ...textBodies(
    "polluting",
    polluting.flatMap((value) => [
      value,
      requestText({ params: value }),
      requestText({ method: '"execute_task"', params: value }),
    ]),
  ),
  ...textBodies("request by prototype", [
    `{"__proto__":${requestText({})}}`,
    `{"jsonrpc":"2.0","__proto__":{"method":"list_agents","id":1}}`,
    `{"jsonrpc":"2.0","method":"list_agents","__proto__":{"id":1}}`,
    `{"jsonrpc":"2.0","method":"list_agents","constructor":1,"id":7}`,
  ]),
  ...textBodies(
    "extra member",
    inherited.map((name) => requestText({ [name]: "1" })),
  ),
  ...textBodies(
    "member twice",
    ["jsonrpc", "method", "params", "id", "x"].flatMap((name) =>
      ['"2.0"', '"list_agents"', "{}", "1", "null", "[]", '"1.0"', "true"].map((value) => twice(name, value, value)),
    ),
  ),
  ...textBodies("last member counts", [
    '{"id":{},"jsonrpc":"2.0","method":"list_agents","id":"last"}',
    '{"id":"first","jsonrpc":"2.0","method":"list_agents","id":{}}',
    '{"jsonrpc":"2.0","method":"list_agents","id":1,"\\u0069d":2}',
    '{"jsonrpc":"2.0","method":"list_agents","id":1e400,"id":2.50}',
    '{"jsonrpc":"1.0","jsonrpc":"2.0","method":1,"method":"list_agents","id":1}',
  ]),
  ...textBodies(
    "long name",
    [10_000, 100_000, 1_000_000].map((length) => requestText({ ["k".repeat(length)]: "1" })),
  ),
  ...textBodies(
    "many names",
    [1_000, 30_000].map((count) =>
      requestText({ params: `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")}}` }),
    ),
  ),
  ...textBodies("names that are numbers", [
    requestText({
      params: `{${Array.from({ length: 30_000 }, (_, index) => `"${(index * 65_536) % 16_777_216}":0`).join(",")}}`,
    }),
  ]),
  ...textBodies("one name many times", [
    requestText({ params: `{${Array.from({ length: 50_000 }, () => `"k":0`).join(",")}}` }),
  ]),
];
