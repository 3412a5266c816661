import { requestText, textBodies, type HostileBody } from "../hostile-body.ts";

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
