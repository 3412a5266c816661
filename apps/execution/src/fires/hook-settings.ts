import type { SecretSource } from "@crosszone/agent-bridge";
import {
  type HookSettings,
  isHookSettings,
  isHooksSection,
  type LeftOutHook,
  type ParamProblem,
} from "@crosszone/contracts";
import { pointerStep } from "@crosszone/contracts/json";
import { ownMember } from "@crosszone/service-kit/json";
import { brokenMembers, problemsOfSchema, settingsRow } from "@crosszone/service-kit/settings";
import { errorText } from "@crosszone/service-kit/text";
import { webhookSecretProblem } from "@crosszone/service-kit/webhooks";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import {
  checkInputOnThread,
  checkSchemaOnThread,
  readCondition,
  readTemplate,
  resolveTemplate,
} from "@crosszone/workflow";

/** What a delivery says. */
export interface HookContent {
  /** By their names in lower case, without credentials. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A hook whose expressions are read. */
export interface Hook {
  readonly settings: HookSettings;
  /** Resolves with what its schema does not allow in a body. Throws a ZoneError `rate_limited` when too many of its deliveries wait. */
  readonly check: (body: unknown) => Promise<readonly ParamProblem[]>;
  /** Returns why a delivery is ignored, a sentence. Throws a `WorkflowFault` when the condition can't be evaluated. */
  readonly whyUnwanted: (content: HookContent) => string | undefined;
  /** Returns whether the number at a pointer into the body is used as a number: in `if`, or alone as a member of `input`. */
  readonly needsNumber: (pointer: string) => boolean;
  /** Returns the text, the input or the event's key. Throws a `WorkflowFault` for a reference without a value. */
  readonly fill: (content: HookContent) => unknown;
}

/** The hooks that are served, and those that have a mistake. */
export interface ReadHooks {
  readonly hooks: readonly Hook[];
  readonly leftOut: readonly LeftOutHook[];
}

/** Creates the row of the section: a hook with a mistake, or with a secret that can't be used, is left out alone. */
export const hooksRow = (readSecret: SecretSource["read"]) =>
  settingsRow({
    schema: isHooksSection,
    absent: [],
    judgesMembers: true,
    check: async (members: readonly unknown[], { leaveOut }): Promise<ReadHooks> => {
      const names = members.map((member, at) => {
        const name = ownMember(member, "name");
        return typeof name === "string" ? name : `number ${at + 1}`;
      });
      const hooks: Hook[] = [];
      const leftOut: LeftOutHook[] = [];
      for (const [at, member] of members.entries()) {
        const { hook, problems } = await readMember(member);
        if (hook !== undefined) problems.push(...(await secretProblems(hook.settings, readSecret)));
        const name = names[at] ?? "";
        if (names.indexOf(name) < at) problems.push({ pointer: "/name", message: "is also the name of another hook" });
        const placed = leaveOut(...problems.map((one) => ({ ...one, pointer: `/${at}${one.pointer}` })));
        if (placed.length > 0) leftOut.push({ name, because: new FileProblemsError(placed).message });
        else if (hook !== undefined) hooks.push(hook);
      }
      return { hooks, leftOut };
    },
  });

async function secretProblems(
  { sign, secrets }: HookSettings,
  readSecret: SecretSource["read"],
): Promise<ParamProblem[]> {
  const wrong = secrets.map(async (reference, index) => {
    const pointer = `/secrets/${index}`;
    try {
      const problem = webhookSecretProblem(sign, await readSecret(reference));
      return problem === undefined ? [] : [{ pointer, message: `names a secret that ${problem}` }];
    } catch (error) {
      return [{ pointer, message: `can't be used: ${errorText(error)}` }];
    }
  });
  return (await Promise.all(wrong)).flat();
}

const readMember = async (member: unknown): Promise<{ readonly hook?: Hook; readonly problems: ParamProblem[] }> =>
  isHookSettings(member) ? readHook(member) : { problems: problemsOfSchema(isHookSettings, member) };

const roots = ["body", "headers"];

/** How long a delivery waits for its check, milliseconds. GitHub waits ten seconds for an answer. */
const mostCheckMs = 8_000;

async function readHook(settings: HookSettings): Promise<{ readonly hook: Hook; readonly problems: ParamProblem[] }> {
  const { name, schema, only = {}, if: expression, text, input, event } = settings;
  const [member, mapping] = event ? ["/event/key", event.key] : input ? ["/input", input] : ["/text", text];
  const { template, references, problems, warnings } = readTemplate(mapping);
  const strange = references.flatMap(({ pointer, reference }) => {
    const message = `has ${reference.text}: begin with body or headers`;
    return roots.includes(String(reference.path[0])) ? [] : [{ pointer, message }];
  });
  const condition = expression === undefined ? undefined : readCondition(expression, new Set(roots));
  const ofSchema = schema === undefined ? [] : await checkSchemaOnThread(schema);
  const wanted = Object.entries(only);
  const calculated = expression === undefined ? [] : bodyPointers(expression);
  const inInput = input === undefined ? [] : references.map(({ reference }) => reference.path);
  const passed = new Set(inInput.flatMap(([root, ...path]) => (root === "body" ? path.map(pointerStep).join("") : [])));
  return {
    problems: [
      ...problemsBetween(settings),
      ...[...problems, ...warnings, ...strange].map((one) => ({ ...one, pointer: member + one.pointer })),
      ...(condition?.problems ?? []).map((message) => ({ pointer: "/if", message })),
      ...ofSchema.map((one) => ({ ...one, pointer: `/schema${one.pointer}` })),
    ],
    hook: {
      settings,
      // Its senders share one turn: they, and not its owner, write what is checked.
      check: async (body) =>
        schema === undefined
          ? []
          : checkInputOnThread(schema, body, { caller: `hook:${name}`, signal: AbortSignal.timeout(mostCheckMs) }),
      whyUnwanted: (content) => {
        if (!wanted.every(([place, values = []]) => values.includes(valueAt(place, content))))
          return "The hook's `only` does not match.";
        return condition?.condition?.holds(scopeOf(content)) === false ? "The hook's `if` is false." : undefined;
      },
      needsNumber: (pointer) => calculated.some((one) => `${pointer}/`.startsWith(`${one}/`)) || passed.has(pointer),
      fill: (content) => resolveTemplate(template, scopeOf(content)),
    },
  };
}

/** Returns the pointers into the body of what an expression reads: the value there, or those inside. */
function bodyPointers(expression: string): readonly string[] {
  const chains = expression.matchAll(/\bbody((?:\.\??[A-Za-z_]\w*|\[\??(?:\d+|"[^"]*"|'[^']*')\])*)(\()?/g);
  return Array.from(chains, ([, chain = "", call]) => {
    const steps = Array.from(chain.matchAll(/\.\??(\w+)|\[\??["']?([^"'\]]*)["']?\]/g), ([, name, key]) => name ?? key);
    // The last name is that of a function.
    return (call === undefined ? steps : steps.slice(0, -1)).map(pointerStep).join("");
  });
}

/** Returns what the schema of settings can't say is wrong with them. */
function problemsBetween({ agent, event, text, input, cap, sign, channel, thread_ts }: HookSettings): ParamProblem[] {
  const questions = [text, input].filter((one) => one !== undefined).length;
  const isTold = sign.kind === "hmac" || (sign.kind === "bearer" && (sign.prefix ?? sign.encoding) === undefined);
  return brokenMembers([
    [(agent === undefined) === (event === undefined), "/agent", "is needed, or event, but not both"],
    [agent !== undefined && questions !== 1, "/text", "is needed, or input, but not both"],
    [event !== undefined && questions > 0, "/event", "has the body as its payload: remove text and input"],
    [agent !== undefined && cap === undefined, "/cap", "is needed: fires, tokens or usd in a UTC day"],
    [sign.kind === "hmac" && sign.header === undefined, "/sign/header", "is needed: where is the signature?"],
    [!isTold && Object.keys(sign).length > 1, "/sign", `has members that ${sign.kind} does not have`],
    [thread_ts !== undefined && channel === undefined, "/thread_ts", "needs the channel of its thread"],
  ]);
}

const scopeOf = (content: HookContent) => ({
  input: undefined,
  outputs: new Map<string, unknown>(),
  variables: new Map<string, unknown>(Object.entries(content)),
});

/** Returns what is at a place of a delivery; undefined for nothing. */
export function valueAt(place: string, { headers, body }: HookContent): unknown {
  if (!place.startsWith("/")) return ownMember(headers, place);
  const steps = place.slice(1).split("/");
  const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((at, name) => (Array.isArray(at) ? (at[Number(name)] as unknown) : ownMember(at, name)), body);
}
