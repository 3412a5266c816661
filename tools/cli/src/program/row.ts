import { operations } from "@crosszone/contracts";
import type { AnswerOf, ApiClient, GivenValues } from "../api/api-client.ts";
import { type Answered, operationFacts } from "../generated/operations.ts";
import { type Command, type CommandOptions, jsonOption, type ParsedCommand, type Printed } from "./command.ts";
import { allOption, nextNotice, nextOf } from "./options.ts";
import { isOwn, operandsOf, optionsOf, type OptionValues, readParameters } from "./parameter-options.ts";
import { type ExitCode, type Session, UsageError } from "./session.ts";

/** What the functions of a row get. */
interface Call<Options extends CommandOptions> extends ParsedCommand<Options> {
  readonly session: Session;
  readonly api: ApiClient;
  /** The values of the request, as far as they were read from operands and options. */
  readonly asked: GivenValues;
}

/** A command that is an operation of the API, whose options, help texts and values come from the operation. */
interface Row<Id extends Answered, Options extends CommandOptions> {
  readonly name: string;
  readonly operation: Id;
  /** Default: the summary of the operation. */
  readonly summary?: string;
  readonly examples: Command["examples"];
  /** Parameters and members of the body that are operands, in order and as commander reads them (default: those of the path). */
  readonly operands?: Readonly<Record<string, string>>;
  /** Options of its own. One with the name of a parameter replaces that parameter's. `ask` reads them. */
  readonly options?: Options;
  /** Parameters without an option. */
  readonly without?: readonly string[];
  /** Returns further values of the request: what was typed in other words. */
  readonly ask?: (call: Call<Options>) => GivenValues | Promise<GivenValues>;
  /** Returns the client of the zone that is asked (default: the execution zone). */
  readonly zone?: (session: Session, call: ParsedCommand<Options>) => ApiClient;
}

type Cells = Readonly<Record<string, string | undefined>>;

interface ListRow<Id extends Answered, Options extends CommandOptions, Item> extends Row<Id, Options> {
  /** The items of an answer. */
  readonly of: (list: AnswerOf<Id>) => readonly Item[];
  /** The cells of an item by their heads. A column without any cell is left out. */
  readonly columns: (item: Item, call: Call<Options> & { readonly list: AnswerOf<Id> }) => Cells | Promise<Cells>;
  /** Printed when there are no items. */
  readonly none: string;
  /** The names of the items, by which operands and options of a kind are completed and corrected. */
  readonly names?: {
    readonly kind: string;
    readonly of: (item: Item) => string;
    /** The kind of a refusal of an unknown one (default: the kind with `-not-found`). */
    readonly refusal?: string;
  };
}

interface ActRow<Id extends Answered, Options extends CommandOptions> extends Row<Id, Options> {
  /** Returns what is printed of the answer. Its JSON is the answer unless this has another. */
  readonly show: (answer: AnswerOf<Id>, call: Call<Options>) => Shown | Promise<Shown>;
}

type Shown = string | Printed | ExitCode;

/** Returns the command of an operation. */
export const actRow = <const Id extends Answered, const Options extends CommandOptions = Record<string, never>>(
  row: ActRow<Id, Options>,
): Command =>
  commandOf(row, async (call) => {
    const answer = await call.api.callWith(row.operation, call.asked);
    const shown = await row.show(answer, call);
    if (typeof shown === "number") return shown;
    const printed: Printed = typeof shown === "string" ? { text: shown } : shown;
    return { json: answer, ...printed, notice: `${printed.notice ?? ""}${nextNotice(nextOf(answer))}` };
  });

/** The names that completion and suggestions know, and how many are read to find the one that begins so. */
const [mostNames, mostMatches] = [200, 3];

/** Returns the command of an operation that lists. */
export function listRow<const Id extends Answered, Item, const Options extends CommandOptions = Record<string, never>>(
  row: ListRow<Id, Options, Item>,
): Command {
  const { operation, of, columns, none, names } = row;
  const takes = (name: string): boolean => operationFacts[operation].parameters.some((one) => one.name === name);
  const isPaged = takes("cursor");
  const command = commandOf(
    row,
    async (call) => {
      const pages: AnswerOf<Id>[] = [];
      const cells: Cells[] = [];
      for (let next: string | undefined; pages.length === 0 || next !== undefined;) {
        const list = await call.api.callWith(
          operation,
          next === undefined ? call.asked : { ...call.asked, cursor: next },
        );
        pages.push(list);
        cells.push(...(await Promise.all(of(list).map(async (item) => columns(item, { ...call, list })))));
        next = call.isAll ? nextOf(list) : undefined;
      }
      const [widest = {}] = cells.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length);
      const head = Object.keys(widest).filter((name) => cells.some((each) => each[name] !== undefined));
      const rows = cells.map((each) => head.map((name) => each[name] ?? ""));
      const last = pages.at(-1);
      const notice = isPaged ? nextNotice(nextOf(last), ", --all shows all") : totalNotice(last, rows.length);
      return { json: merged(pages, of), text: { head, rows, none }, notice };
    },
    isPaged,
  );
  if (names === undefined) return command;
  const { kind, refusal = `${kind}-not-found` } = names;
  const read = async (api: ApiClient, id?: string): Promise<readonly string[]> => {
    const limit = takes("limit") ? (id === undefined ? mostNames : mostMatches) : undefined;
    return [...new Set(of(await api.callWith(operation, { limit, id })).map(names.of))];
  };
  const lists = { kind, refusal, command: row.name.replace(/ list$/, ""), read, isByBeginning: takes("id") };
  return { ...command, lists };
}

/** Returns the line below a list that has more than it shows, and no pages. */
const totalNotice = (list: unknown, shown: number): string =>
  typeof list === "object" && list !== null && "total" in list && Number(list.total) > shown
    ? `The first ${shown} of ${String(list.total)}.\n`
    : "";

/** Returns pages as one: the last, with the items of all and the names that they have. */
function merged<List>(pages: readonly List[], of: (list: List) => unknown): unknown {
  const last = pages.at(-1);
  if (pages.length === 1 || typeof last !== "object" || last === null) return last;
  const names = pages.map((page) => (typeof page === "object" && page !== null && "names" in page ? page.names : {}));
  const items = of(last);
  return Object.fromEntries(
    Object.entries(last).map(([name, member]: [string, unknown]) => {
      if (name === "names") return [name, Object.assign({}, ...names)];
      return [name, member === items ? pages.flatMap(of) : member];
    }),
  );
}

/** Returns a command: its options and operands, how they are read, and what then happens. */
function commandOf<Id extends Answered, Options extends CommandOptions>(
  row: Row<Id, Options>,
  run: (call: Call<Options> & { readonly isAll: boolean }) => Promise<Printed | ExitCode>,
  hasAll = false,
): Command {
  const { name, operation, examples, options: own = {}, without = [] } = row;
  const { summary, parameters } = operationFacts[operation];
  const written = row.operands ?? operandsOf(parameters);
  const typed = parameters.filter((one) => !without.includes(one.name) && !isOwn(one, own));
  return {
    name,
    operation,
    summary: row.summary ?? `${summary}.`,
    operands: Object.values(written),
    options: {
      ...own,
      ...optionsOf(typed.filter((one) => !(one.name in written))),
      ...(hasAll && { all: allOption }),
      ...(operations[operation].answer !== undefined && { json: jsonOption }),
    },
    examples,
    run: async (parsed, session) => {
      const values = parsed.values as OptionValues;
      const isAll = values["all"] === true;
      if (isAll && (values["cursor"] ?? values["limit"]) !== undefined)
        throw new UsageError("--all can't be combined with --limit or --cursor.");
      const operands = new Map(
        Object.entries(written).map(([key, one], at) => [key, { written: one, text: parsed.operands[at] }] as const),
      );
      const given = parsed as ParsedCommand<Options>;
      const asked = await readParameters(typed, { command: name, operands, values }, session);
      const call = { ...given, session, api: row.zone?.(session, given) ?? session.api(), asked, isAll };
      const { body, ...more } = (await row.ask?.(call)) ?? {};
      const whole: unknown = body === undefined ? asked.body : Object.assign({}, asked.body, body);
      return run({ ...call, asked: { ...asked, ...more, body: whole } });
    },
  };
}
