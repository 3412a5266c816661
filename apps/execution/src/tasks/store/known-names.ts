import type { ApiContent, ApiExchange, ApiPart, ApiPath } from "@crosszone/admin-api";
import type { Names } from "@crosszone/contracts";
import { createRecordCodec, opened, type Vault } from "@crosszone/service-kit";
import { columnText, nowText, personDigest, personDigests, rowsStatement } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { type ExecutionDatabase, teamKey } from "../../store/open-execution-database.ts";

/** The context that a sealed name is bound to. */
export const nameContext = (id: string): string => `name ${id}`;

/** Maximum number of people and channels with the same name that are found. */
const mostNamesakes = 50;

/** Most ids of one answer that get names. */
const mostNamed = 500;

/** People, channels and groups. */
const slackId = /^[UWCDGS][A-Z0-9]{1,30}$/;

/** The paths whose answers have names. */
const withNames =
  /^\/(messages(\/\{reference\})?|input-requests(\/\{request_id\})?|schedules(\/\{name\})?|hooks|usage(\/budgets)?|audit\/events)$/;

const storeNames = rowsStatement({
  columns: { digest: "text", user_id: "text", team: "text", name: "text" },
  text: (rows, engine) => `insert into message_person (digest, user_id, team, name, seen_at)
    select digest, user_id, team, name, ${nowText[engine]} from ${rows} where true
    on conflict (digest, user_id, team) do update
    set seen_at = excluded.seen_at, name = coalesce(excluded.name, message_person.name)`,
});

/** Opens the names of people and channels that verification has reported: found by a name, and shown for an id. */
export function createKnownNames({ db, engine, batch }: ExecutionDatabase, vault: Vault | undefined) {
  const codec = createRecordCodec(vault);

  /** Returns the statement that stores names, with digests of the ids, the names and their words. One order for all processes prevents deadlocks. */
  function storing(all: readonly { id: string; name: string | undefined; team_id: string }[]): CompiledQuery {
    const rows = all.flatMap(({ id: given, name, team_id }) => {
      const [user_id, team] = [columnText(given), teamKey(team_id)];
      const own = personDigest(given);
      // A channel is also found without its sign.
      return personDigests([given, name, name?.replace(/^[#@]/, "")]).map((digest) => {
        const sealed = digest === own && name !== undefined ? codec.toColumn(name, nameContext(user_id)) : null;
        return { digest, user_id, team, name: sealed };
      });
    });
    const byKey = new Map(rows.map((row) => [JSON.stringify([row.digest, row.user_id, row.team]), row]));
    const ordered = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    return storeNames.query(engine, ordered);
  }

  async function namesOf(ids: readonly string[]): Promise<Names> {
    const digests = [...new Set(ids)].slice(0, mostNamed).map(personDigest);
    if (digests.length === 0) return {};
    const found = db.selectFrom("message_person").select(["user_id", "name"]).where("digest", "in", digests);
    const rows = await found.where("name", "is not", null).orderBy("seen_at").execute();
    return Object.fromEntries(
      rows.flatMap(({ user_id, name }) => {
        const shown = opened(() => codec.fromColumn(name ?? "", nameContext(user_id)));
        return typeof shown === "string" ? [[user_id, shown]] : [];
      }),
    );
  }

  return {
    storing,
    namesOf,
    /** Stores the names that verification reads of the people who decide. */
    keep: async (team_id: string, names: Names): Promise<void> => {
      const all = Object.entries(names).flatMap(([id, name]) => (slackId.test(id) ? [{ id, name, team_id }] : []));
      if (all.length > 0) await batch([storing(all)]);
    },
    /** Returns the ids that a name, a word of it or an id means. */
    idsOf: async (name: string): Promise<readonly string[]> => {
      const found = db.selectFrom("message_person").select("user_id").where("digest", "=", personDigest(name));
      return (await found.distinct().limit(mostNamesakes).execute()).map(({ user_id }) => user_id);
    },
    /** Returns a part whose answers have the names of the Slack ids in them. Without `content:read` they are left out again. */
    named: (part: ApiPart): ApiPart => {
      const naming = ({ get, ...others }: ApiPath): ApiPath => ({
        ...others,
        get: get && (async (exchange: ApiExchange) => named(await get(exchange))),
      });
      const paths = Object.entries(part.paths).map(([path, api]) => [path, withNames.test(path) ? naming(api) : api]);
      return { ...part, paths: Object.fromEntries(paths) as ApiPart["paths"] };
    },
  };

  async function named<Answered>(answered: Answered): Promise<Answered> {
    const { body } = answered as ApiContent;
    if (typeof body !== "object" || body === null) return answered;
    const names = await namesOf(JSON.stringify(body).match(/(?<=")[UWCDGS][A-Z0-9]{1,30}(?=")/g) ?? []);
    const naming = (one: { readonly names?: Names }) => ({ ...one, names: { ...names, ...one.names } });
    const { input_requests: requests } = body as { readonly input_requests?: readonly { readonly names?: Names }[] };
    return { ...answered, body: requests ? { ...body, input_requests: requests.map(naming) } : naming(body) };
  }
}
