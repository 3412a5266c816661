import type {
  InputState,
  InputVote,
  RunGraphNode,
  RunState,
  StepState,
  WorkflowRunSummary,
  WorkflowStep,
} from "@crosszone/contracts";
import { durationUnits, showUnseen, visibleLine } from "@crosszone/service-kit/text";

interface StepWords<Step> {
  readonly name: string;
  /** Summarizes the settings; undefined when there is nothing to say. */
  rule(step: Step): string | undefined;
  /** Whether the progress of the step counts its items, not its instances. */
  readonly countsItems?: boolean;
}

/** Words for types of steps. A type without an entry has its own name. */
const words: { readonly [Type in WorkflowStep["type"]]?: StepWords<Extract<WorkflowStep, { type: Type }>> } = {
  agent: {
    name: "Agent",
    rule: ({ on_error }) => (on_error === "continue" ? "If it fails, the run continues" : undefined),
  },
  human: {
    name: "People",
    rule: ({ decide, on_denied }) => {
      const { people = [], groups = [], requester = false } = decide ?? {};
      const named = [...people, ...groups];
      if (requester) named.push("the requester");
      const who = named.length === 0 ? "The approval policy says who decides" : `Decided by ${named.join(", ")}`;
      return on_denied === "continue" ? `${who}. If denied, the run continues` : who;
    },
  },
  wait: {
    name: "Wait",
    rule: ({ for_ms, until, event }) => {
      if (event !== undefined) return `For the event ${event.name}, ${event.key}`;
      return until === undefined ? `For ${durationText(for_ms ?? 0)}` : `Until ${until}`;
    },
  },
  workflow: { name: "Workflow", rule: ({ workflow, version }) => ["Runs", workflow, version].join(" ").trim() },
  prompt: { name: "Model", rule: ({ model }) => model && `Calls ${model}` },
  parallel: {
    name: "Parallel",
    rule: ({ max_parallelism: most }) => (most === undefined ? "All in parallel" : `At most ${String(most)} at once`),
  },
  conditional: { name: "Condition", rule: ({ condition }) => `If ${condition.expression}` },
  loop: {
    name: "Loop",
    countsItems: true,
    rule: ({ loop_config: { collection, execution_mode = "sequential", max_parallelism, on_error = "stop" } }) => {
      const over = typeof collection === "string" ? collection : `${String(collection.length)} items`;
      const atOnce = max_parallelism === undefined ? "" : `, ${String(max_parallelism)} at once`;
      return `Over ${over}, ${execution_mode}${atOnce}; when one fails: ${on_error}`;
    },
  },
  fork_join: {
    name: "Fork",
    rule: ({ fork_join_config: { join_policy, n_required } }) => {
      const enough = join_policy === "n_of_m" ? String(n_required) : join_policy;
      return `Continues when ${enough} of its branches have succeeded`;
    },
  },
};

const wordsOf = (type: WorkflowStep["type"]): StepWords<WorkflowStep> | undefined => words[type];

export function typeName(type: WorkflowStep["type"]): string {
  const plain = type.replaceAll("_", " ");
  return wordsOf(type)?.name ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Summarizes a step's settings; undefined when there is nothing to say. */
export const stepRule = (step: WorkflowStep): string | undefined => wordsOf(step.type)?.rule(step);

/** Returns true if the progress of a step counts its instances in loops. */
export const countsInstances = ({ total, type }: RunGraphNode): boolean =>
  total !== undefined && wordsOf(type)?.countsItems !== true;

/** A state as it is shown. `waiting`: for people. */
export type ShownState = RunState | StepState | "waiting";

export const stateWords: Readonly<Record<ShownState, string>> = {
  pending: "Pending",
  waiting: "Waiting for people",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  canceled: "Canceled",
  skipped: "Skipped",
  timed_out: "Timed out",
};

/** Returns the state of a step as it is shown: one that asks people waits for them. */
export const shownStepState = (state: StepState, type: WorkflowStep["type"]): ShownState =>
  type === "human" && state === "running" ? "waiting" : state;

/** Names of people by their ids. */
export type NameOf = Readonly<Record<string, string | undefined>>;

/** Names a person or a channel by an id, where the zone knows the name. Ids of Slack groups begin with S, of direct messages with D. */
export const personText = (id: string, names: NameOf = {}): string =>
  visibleLine(
    names[id] ?? (/^S[A-Z0-9]+$/.test(id) ? `members of ${id}` : /^D[A-Z0-9]+$/.test(id) ? "Direct message" : id),
  );

/** Names the deciders of a waiting run: the first three, and the number of others. */
export function waitingText({ names, waits_for: ids = [] }: Pick<WorkflowRunSummary, "names" | "waits_for">): string {
  const [more, shown] = [ids.length - 3, ids.slice(0, 3).map((id) => personText(id, names))];
  return `Waiting for ${shown.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}

/** Whether the run has ended. It can still be retried. */
export const hasRunEnded = (state: RunState): boolean => state !== "pending" && state !== "running";

/** Formats a duration with at most two units. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${String(Math.max(0, Math.round(ms)))} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const at = durationUnits.findIndex(([, size]) => ms >= size);
  let rest = ms;
  const amounts = durationUnits.slice(at, at + 2).map(([unit, size]) => {
    const amount = Math.floor(rest / size);
    rest %= size;
    return amount === 0 ? "" : `${amount} ${unit}`;
  });
  return amounts.join(" ").trim();
}

/** The start and end of an activity, as the API returns them. */
interface Span {
  readonly started_at?: string;
  readonly ended_at?: string;
}

/** Formats how long something took, or has taken so far; undefined before it started. */
export function spanText(span: Span, now: number): string | undefined {
  const ms = spanMs(span, now);
  if (ms === undefined) return undefined;
  return span.ended_at === undefined ? clockText(ms) : durationText(ms);
}

/** The same in milliseconds. */
export function spanMs({ started_at, ended_at }: Span, now: number): number | undefined {
  if (started_at === undefined) return undefined;
  return (ended_at === undefined ? now : Date.parse(ended_at)) - Date.parse(started_at);
}

/** The time of day, to the second. */
export const timeText = (time: string): string => new Date(time).toLocaleTimeString(undefined, { hour12: false });

/** Formats the distance of a time from now. */
export function fromNowText(time: string, now: number): string {
  const ms = Date.parse(time) - now;
  if (Math.abs(ms) < 1_000) return "now";
  return ms < 0 ? `${clockText(-ms)} ago` : `in ${clockText(ms)}`;
}

/** Formats a duration that still grows. Below a minute it shows whole seconds: fractions would flicker. */
export function clockText(ms: number): string {
  return ms < 60_000 ? `${String(Math.floor(Math.max(0, ms) / 1_000))} s` : durationText(ms);
}

const segmenter = new Intl.Segmenter();
/** Characters of double width: Chinese, Japanese, Korean, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Shortens a text to a width in letters, with an ellipsis. */
export function fittingText(text: string, letters: number): string {
  const oneLine = visibleLine(text);
  let room = letters;
  let fitting = "";
  for (const { segment } of segmenter.segment(oneLine)) {
    const width = wide.test(segment) ? 2 : 1;
    const isLast = fitting.length + segment.length === oneLine.length;
    if (room < (isLast ? width : width + 1)) return `${fitting.trimEnd()}…`;
    room -= width;
    fitting += segment;
  }
  return fitting;
}

/** Returns the agent of a step, or its kind. */
export const doerText = ({ agent_name, type }: RunGraphNode): string => agent_name ?? typeName(type);

/** Returns a step's progress: how many of its instances are done, or its state. */
export function standingText(node: RunGraphNode): string {
  const { done, total } = node;
  return done === undefined || total === undefined
    ? stateWords[shownStepState(node.state, node.type)]
    : `${String(done)}/${String(total)}`;
}

/** Describes a step for screen readers. */
export function spokenText(node: RunGraphNode): string {
  const { done, title, total } = node;
  const progress = done === undefined || total === undefined ? "" : `, ${String(done)} of ${String(total)} done`;
  return `${title}, ${doerText(node)}, ${stateWords[shownStepState(node.state, node.type)]}${progress}`;
}

/** The label of each state, and the state of a step whose look it has. */
export const inputStates: Readonly<Record<InputState, readonly [words: string, look: ShownState]>> = {
  open: ["Waiting for people", "waiting"],
  approved: ["Approved", "succeeded"],
  used: ["Approved, has run", "succeeded"],
  answered: ["Answered", "succeeded"],
  denied: ["Denied", "failed"],
  expired: ["Expired", "timed_out"],
  void: ["Approved, not run in time", "timed_out"],
  withdrawn: ["Withdrawn", "canceled"],
};

export const fullTime = (at: string): string => new Date(at).toLocaleString();

const verdicts = { approve: "approved", deny: "denied", answer: "answered" } as const;
const surfaces = {
  slack: "in Slack",
  console: "in the console",
  api: "through the API",
  a2a: "over A2A",
  mcp: "over MCP",
} as const;

export const voteText = ({ verdict, via, at, reason }: InputVote): string =>
  `${verdicts[verdict]} ${surfaces[via]} on ${fullTime(at)}${reason === undefined ? "" : `: ${showUnseen(reason)}`}`;

const plural = (count: number, word: string): string => `${countText(count)} ${word}${count === 1 ? "" : "s"}`;

export const timesText = (attempts: number): string => plural(attempts, "attempt");

/** Returns US dollars as text; four digits after the point for less than 10 cents. */
export const dollarText = (amount: number): string =>
  amount.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: amount < 0.1 ? 4 : 2 });

export const countText = (amount: number): string => amount.toLocaleString("en-US");

export const callsText = (count: number): string => plural(count, "call");
