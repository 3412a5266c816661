import type { NamedType, Tables } from "./contract.ts";

/** Yields mismatches between a table and the schemas or another table, one line each, beginning with the file. */
export function* tableProblems(tables: Tables, types: NamedType[]): Generator<string> {
  yield* kindProblems("errors.json", tables.errors, enumOf("ErrorKind", types));
  yield* kindProblems("agent-errors.json", tables.agentErrors, enumOf("AgentErrorKind", types));
  yield* methodProblems(tables, types);
  yield* channelProblems(tables, types);
}

interface Kinds {
  title: string;
  kinds: string[];
}

function enumOf(title: string, types: NamedType[]): Kinds {
  return { title, kinds: (types.find((type) => type.title === title)?.schema.enum as string[] | undefined) ?? [] };
}

/** Checks that an error catalogue has exactly one row for each kind. */
function* kindProblems(file: string, rows: object, { title, kinds }: Kinds): Generator<string> {
  for (const kind of kinds)
    if (!Object.hasOwn(rows, kind)) yield `${file}: no row for ${kind}, which common.schema.json has as an ${title}`;
  for (const kind of Object.keys(rows))
    if (!kinds.includes(kind)) yield `${file}: ${kind} is no ${title} of common.schema.json`;
}

function* methodProblems({ methods, errors }: Tables, types: NamedType[]): Generator<string> {
  for (const [name, row] of Object.entries(methods)) {
    for (const member of ["params", "result"] as const)
      if (!types.some(({ ref }) => ref === row[member]))
        yield `methods.json: ${name}.${member} ${row[member]} is no schema`;
    for (const kind of row.errors)
      if (!errors[kind]) yield `methods.json: ${name}.errors has ${kind}, which is no kind of errors.json`;
  }
}

function* channelProblems({ channels }: Tables, types: NamedType[]): Generator<string> {
  for (const [name, { message, key }] of Object.entries(channels)) {
    const type = types.find(({ ref }) => ref === message);
    if (!type) yield `channels.json: ${name}.message ${message} is no schema`;
    else if (!type.schema.required?.includes(key))
      yield `channels.json: ${name}.key ${key} is no required member of ${message}`;
  }
}
