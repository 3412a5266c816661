import { zoneMethods, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import {
  createClient,
  createDispatcher,
  createInProcessTransport,
  errorToJson,
  type Call,
  type Client,
} from "@crosszone/jsonrpc";

/** What a method answers. */
export type ZoneAnswer<M extends keyof ZoneMethods> = ZoneMethods[M]["result"];

type Script<M extends keyof ZoneMethods> = (
  params: ZoneMethods[M]["params"],
  call: Call,
) => Promise<ZoneAnswer<M>> | ZoneAnswer<M>;

export interface ZoneCall {
  readonly method: keyof ZoneMethods;
  readonly params: Record<string, unknown>;
  readonly id: Call["id"];
  readonly session: string;
}

export interface ScriptedZone {
  readonly zone: Client<ZoneMethods>;
  /** Every request that arrived, oldest first. */
  readonly calls: ZoneCall[];
  /** The requests of one method. */
  of(method: keyof ZoneMethods): ZoneCall[];
  /** What a method does from now on. */
  on<M extends keyof ZoneMethods>(method: M, answer: Script<M>): void;
}

type Scripts = { [M in keyof ZoneMethods]: Script<M> };

/** An execution zone of which a test writes the answers. Real client, real dispatcher, the full codec; only the network is missing. */
export function createScriptedZone(): ScriptedZone {
  const calls: ZoneCall[] = [];
  const scripts: Scripts = {
    execute_task: ({ text }) => ({ status: "success", response_text: `You said: ${text}` }),
    get_async_task_result: ({ task_id }) => ({ status: "working", task_id }),
    cancel_task: ({ task_id }) => ({ task_id, status: "canceled" }),
    list_agents: () => ({ agents: [{ name: "builtin", description: "Knows things.", default: true, skills: [] }] }),
    read_task_file: () => ({ bytes: "" }),
    get_agent_card: () => Promise.reject(new ZoneError("internal")),
  };
  const run = <M extends keyof ZoneMethods>(
    method: M,
    params: ZoneMethods[M]["params"],
    { session, call }: { session: string; call: Call },
  ): ReturnType<Script<M>> => {
    calls.push({ method, params, id: call.id, session });
    return scripts[method](params, call);
  };
  const dispatch = createDispatcher<ZoneMethods, { correlationId: string; session: string }>({
    methods: zoneMethods,
    handlers: {
      execute_task: async (params, { session }, call) => run("execute_task", params, { session, call }),
      get_async_task_result: async (params, { session }, call) =>
        run("get_async_task_result", params, { session, call }),
      cancel_task: async (params, { session }, call) => run("cancel_task", params, { session, call }),
      list_agents: async (params, { session }, call) => run("list_agents", params, { session, call }),
      read_task_file: async (params, { session }, call) => run("read_task_file", params, { session, call }),
      get_agent_card: async (params, { session }, call) => run("get_agent_card", params, { session, call }),
    },
    batches: "refuse",
    errorToJson,
  });
  const transport = createInProcessTransport((message, { correlationId, session }) =>
    dispatch(message, { correlationId, session }),
  );
  return {
    zone: createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 5_000 }),
    calls,
    of: (method) => calls.filter((call) => call.method === method),
    on: (method, answer) => {
      Object.assign(scripts, { [method]: answer });
    },
  };
}

/** A script step that fails with an error of the catalogue. */
export function failing(...[kind, data]: ConstructorParameters<typeof ZoneError>): () => never {
  return () => {
    throw new ZoneError(kind, data);
  };
}
