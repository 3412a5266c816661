import { randomUUID } from "node:crypto";
import { statusIs, type Kind, type LoadAnswer, type LoadRequest } from "./load-request.ts";
import { isRightAnswer, productOf } from "./product.ts";

interface RpcAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; data?: { kind?: string } };
  id?: unknown;
}

/** A task that has its answer. */
interface Finished {
  n: number;
  id: string;
  taskId: string;
}

/** A call that is answered under its own id. */
interface RightCall {
  method: string;
  params: object;
  judge: LoadRequest["judge"];
}

const mostRemembered = 200;
const tooLarge = JSON.stringify({ jsonrpc: "2.0", method: "x".repeat(1_200_000), id: 1 });

/** What the execution zone is sent, beside what verification asks of it: 500 of 1,000 requests. */
export function executionKinds(token: string): Kind[] {
  const finished: Finished[] = [];
  const remember = (task: Finished): void => {
    finished.push(task);
    if (finished.length > mostRemembered) finished.shift();
  };
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const send = (body: string, judge: LoadRequest["judge"], more: Record<string, string> = {}): LoadRequest => ({
    method: "POST",
    path: "/rpc",
    headers: { ...headers, ...more },
    body,
    judge,
  });
  const call = (method: string, params: object, judge: LoadRequest["judge"]): LoadRequest =>
    callAs(randomUUID(), { method, params, judge });
  const callAs = (id: string, { method, params, judge }: RightCall): LoadRequest =>
    send(rpc(method, params, id), (answer) => judge(answer) && read(answer).id === id);

  const execute = (n: number): LoadRequest => {
    const id = randomUUID();
    const judge = (answer: LoadAnswer): boolean => {
      const { status, response_text, task_id } = resultOf(answer);
      remember({ n, id, taskId: String(task_id) });
      return status === "success" && isRightAnswer(n, String(response_text));
    };
    return callAs(id, { method: "execute_task", params: taskParams(n), judge });
  };
  /** A task that was answered before; until there is one, a new one. */
  const later = (n: number, make: (task: Finished) => LoadRequest): LoadRequest => {
    const task = finished[n % Math.max(1, finished.length)];
    return task === undefined ? execute(n) : make(task);
  };
  const again = ({ n, id, taskId }: Finished): LoadRequest => {
    const judge = (answer: LoadAnswer): boolean => resultOf(answer)["task_id"] === taskId;
    return callAs(id, { method: "execute_task", params: taskParams(n), judge });
  };
  const poll = ({ n, taskId }: Finished): LoadRequest =>
    call("get_async_task_result", { task_id: taskId }, (answer) =>
      isRightAnswer(n, String(resultOf(answer)["response_text"])),
    );
  const agents = (answer: LoadAnswer): boolean => Array.isArray(resultOf(answer)["agents"]);

  const kinds: Omit<Kind, "zone">[] = [
    { name: "`execute_task`", perMille: 160, deserves: "the right answer", make: (n) => execute(n) },
    { name: "`execute_task`, sent again", perMille: 40, deserves: "the same task", make: (n) => later(n, again) },
    { name: "`get_async_task_result`", perMille: 60, deserves: "its answer", make: (n) => later(n, poll) },
    { name: "`list_agents`", perMille: 60, deserves: "the agents", make: () => call("list_agents", {}, agents) },
    {
      name: "poll of an unknown task",
      perMille: 20,
      deserves: "-32000",
      make: () => call("get_async_task_result", { task_id: randomUUID() }, codeIs(-32_000)),
    },
    {
      name: "wrong token",
      perMille: 40,
      deserves: "401",
      make: (n) =>
        send(rpc("execute_task", taskParams(n)), codeIs(-32_014, 401), { authorization: `Bearer ${token}x` }),
    },
    {
      name: "no token",
      perMille: 20,
      deserves: "401",
      make: (n) => send(rpc("execute_task", taskParams(n)), codeIs(-32_014, 401), { authorization: "" }),
    },
    { name: "not JSON", perMille: 25, deserves: "-32700", make: () => send('{"jsonrpc":"2.0",', codeIs(-32_700)) },
    {
      name: "unknown method",
      perMille: 20,
      deserves: "-32601",
      make: () => call("drop_tables", {}, codeIs(-32_601)),
    },
    {
      name: "invalid parameters",
      perMille: 20,
      deserves: "-32602",
      make: () => call("execute_task", { text: 7 }, codeIs(-32_602)),
    },
    {
      name: "batch",
      perMille: 10,
      deserves: "-32600",
      make: () => send(`[${rpc("list_agents", {})}]`, codeIs(-32_600)),
    },
    { name: "1.2 MB", perMille: 10, deserves: "413", make: () => send(tooLarge, statusIs(413)) },
    {
      name: "not declared as JSON",
      perMille: 10,
      deserves: "415",
      make: () => send(rpc("list_agents", {}), statusIs(415), { "content-type": "text/plain" }),
    },
    {
      name: "POST to a wrong path",
      perMille: 5,
      deserves: "404",
      make: () => ({ ...send(rpc("list_agents", {}), statusIs(404)), path: "/jsonrpc" }),
    },
  ];
  return kinds.map((kind) => ({ zone: "execution", ...kind }));
}

function taskParams(n: number): object {
  return {
    channel: "C0LOAD00000",
    text: productOf(n),
    bot_token: "handle-of-the-load",
    thread_ts: "1763611200.000100",
  };
}

function rpc(method: string, params: object, id: string = randomUUID()): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params, id });
}

function read({ body }: LoadAnswer): RpcAnswer {
  return JSON.parse(body) as RpcAnswer;
}

function resultOf(answer: LoadAnswer): Record<string, unknown> {
  return (answer.status === 200 && read(answer).result) || {};
}

function codeIs(code: number, status = 200): LoadRequest["judge"] {
  return (answer) => answer.status === status && read(answer).error?.code === code;
}
