import { expectedText, variablesOf, type ConfigDefinition } from "./config-definition.ts";

/** One variable as documentation shows it. */
export interface ConfigRow {
  readonly name: string;
  readonly description: string;
  /** What a value looks like, in words. */
  readonly expected?: string;
  /** There is no default, and the app does not start without it. */
  readonly required: boolean;
  readonly default?: string;
  readonly example?: string;
  /** May come from `NAME_FILE` too. */
  readonly secret: boolean;
  readonly group?: string;
  /** The earlier name, which still works. */
  readonly formerly?: string;
}

/** Gives the variables of a definition in their order, for a table in the documentation. */
export function describeConfig(definition: ConfigDefinition): ConfigRow[] {
  return variablesOf(definition).map(([name, entry]) => {
    const expected = expectedText(entry.schema);
    return {
      name,
      description: entry.description,
      ...(expected === undefined ? {} : { expected }),
      required: entry.default === undefined && !entry.schema.safeParse(undefined).success,
      ...(entry.default === undefined ? {} : { default: entry.default }),
      ...(entry.example === undefined ? {} : { example: entry.example }),
      secret: entry.secret === true,
      ...(entry.group === undefined ? {} : { group: entry.group }),
      ...(entry.formerly === undefined ? {} : { formerly: entry.formerly }),
    };
  });
}
