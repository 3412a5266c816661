import { randomUUID } from "node:crypto";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import type { Vault } from "@crosszone/service-kit";
import { now, purgeAfter } from "@crosszone/sql";
import type { Selectable } from "kysely";
import type { ExecutionDatabase } from "../../store/open-execution-database.ts";
import type { SessionTable } from "../../store/people-tables.ts";
import type { Person } from "./console-settings.ts";

/** A stored session, when it was read. Times are Unix milliseconds, by the database's clock. */
export type StoredSession = Selectable<SessionTable> & { readonly now: number };

/** Returns the person of a stored session. */
export const readPerson = ({ person }: StoredSession): Person => JSON.parse(person) as Person;

/** Whose session it is at the provider. */
export interface ProviderSession {
  readonly iss: string;
  readonly sub: string;
  readonly sid?: string | undefined;
}

/** Servers refuse longer addresses than this with the rest, characters. */
const mostHint = 6_000;

/** Time between two writes of a session's last request, milliseconds. */
const seenEveryMs = 60_000;

/** How long an ended session is kept, milliseconds: its cookie is still named in the audit log. Longer than any session. */
const keptMs = 7 * 86_400_000;

/** The name of a person in the audit log. A Slack id has no space. */
export const personActor = ({ iss, sub }: { readonly iss: string; readonly sub: string }): string =>
  `person:${iss} ${sub}`;

/** The context that a session's sealed ID token is bound to. */
export const sessionContext = (id: string): string => `session ${id} id_token`;

/** Stores sessions in the zone's database, with their acts in the audit log. Every read sees what other processes ended. */
export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(database: ExecutionDatabase, append: AppendAudit, vault?: Vault) {
  const { db, engine, transaction } = database;
  const time = now(engine);

  const useOnce = async (id: string, expiresAt: number, into: Pick<typeof db, "insertInto"> = db): Promise<boolean> => {
    const used = into.insertInto("used_once").values({ id, expires_at: expiresAt });
    const added = await used.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  };

  /** Ends the live sessions that `which` selects. Returns how many; undefined when `once` was used before. */
  const end = (
    which: Readonly<Partial<ProviderSession & { digest: string }>>,
    { by, because, once }: { by: Author; because: string; once?: { id: string; expiresAt: number } },
  ): Promise<number | undefined> =>
    transaction(async (tx) => {
      if (once !== undefined && !(await useOnce(once.id, once.expiresAt, tx))) return undefined;
      const { sid, ...whose } = which;
      let ending = tx.updateTable("session").set({ ended_at: time, id_token: null }).where("ended_at", "is", null);
      for (const [column, value] of Object.entries(whose))
        ending = ending.where(column as keyof typeof whose, "=", value);
      if (sid !== undefined)
        ending = ending.where((eb) =>
          eb.or([eb("sid", "=", sid), ...(which.sub === undefined ? [] : [eb("sid", "is", null)])]),
        );
      const ended = await ending.returning(["id", "iss", "sub"]).execute();
      const acts = ended.map(({ id, ...of }) =>
        authorAct(by, {
          action: "session.end",
          target: { type: "session", id },
          details: { because, person: personActor(of) },
        }),
      );
      await append(tx, acts);
      return ended.length;
    });

  return {
    end,
    /** Stores a new session under the digest of its cookie. */
    start: (
      digest: string,
      {
        by,
        roles,
        idToken,
        ...of
      }: ProviderSession & { person: Person; idToken: string; by: Author; roles: readonly string[] },
    ): Promise<void> =>
      transaction(async (tx) => {
        const id = randomUUID();
        const id_token =
          vault === undefined || idToken.length > mostHint ? null : vault.seal(idToken, sessionContext(id));
        const { iss, sub, sid = null, person } = of;
        const row = { digest, id, iss, sub, sid, person: JSON.stringify(person), id_token };
        await tx
          .insertInto("session")
          .values({ ...row, created_at: time, seen_at: time, ended_at: null })
          .execute();
        const details = { roles: roles.join(" "), slack_user: person.slackUser ?? null };
        await append(tx, [authorAct(by, { action: "session.start", target: { type: "session", id }, details })]);
      }),

    /** Returns the session of a cookie, also one that has ended; undefined for an unknown one. */
    find: (digest: string): Promise<StoredSession | undefined> =>
      db.selectFrom("session").selectAll().select(time.as("now")).where("digest", "=", digest).executeTakeFirst(),

    /** Returns the ID token of a session; undefined when it is not stored, or its key is gone. */
    idTokenOf: ({ id, id_token }: StoredSession): string | undefined => {
      try {
        return id_token === null ? undefined : vault?.open(id_token, sessionContext(id));
      } catch {
        return undefined;
      }
    },

    /** Notes a request with a session, at most once a minute. */
    noteUse: async ({ digest, seen_at, now: at }: StoredSession): Promise<void> => {
      if (at - seen_at < seenEveryMs) return;
      await db.updateTable("session").set({ seen_at: time }).where("digest", "=", digest).execute();
    },

    /** Returns whether an id is used for the first time. It is remembered until `expiresAt`, Unix milliseconds. */
    useOnce: (id: string, expiresAt: number): Promise<boolean> => useOnce(id, expiresAt),

    purges: [
      purgeAfter(database, { table: "session", key: "digest", column: "created_at" }, keptMs),
      purgeAfter(database, { table: "used_once", key: "id", column: "expires_at" }, 60_000),
    ],
  };
}
