import type { RecordCodec } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import type { VerificationDatabase } from "../database.ts";

/** What a person thinks of an answer. */
interface Rating {
  /** The reference of the answer's message. */
  readonly reference: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly rating: "good" | "bad";
  /** Empty without one. */
  readonly reason: string;
}

/** Returns the context that seals a reason to its row. */
export const reasonContext = ({ reference, user_id }: Readonly<Record<string, unknown>>): string =>
  `rating.reason ${String(reference)} ${String(user_id)}`;

/** Stores ratings: one for each answer and person. */
export class RatingStore {
  readonly #database: VerificationDatabase;
  readonly #codec: RecordCodec;

  constructor(database: VerificationDatabase, codec: RecordCodec) {
    this.#database = database;
    this.#codec = codec;
  }

  /** Stores a rating in the place of the person's earlier one, unless it is the same without a new reason. Returns whether it was stored. */
  async put({ reason, ...rating }: Rating): Promise<boolean> {
    const { db, engine } = this.#database;
    const sealed = reason === "" ? null : this.#codec.toColumn(reason, reasonContext({ ...rating }));
    const row = { ...rating, reason: sealed, rated_at: now(engine) };
    const { numInsertedOrUpdatedRows: changed = 0n } = await db
      .insertInto("rating")
      .values(row)
      .onConflict((same) =>
        same
          .columns(["reference", "user_id"])
          .doUpdateSet((given) => ({
            rating: given.ref("excluded.rating"),
            reason: given.ref("excluded.reason"),
            rated_at: given.ref("excluded.rated_at"),
          }))
          .where((given) =>
            given.or([
              given("rating.rating", "!=", given.ref("excluded.rating")),
              given("excluded.reason", "is not", null),
            ]),
          ),
      )
      .executeTakeFirst();
    return changed > 0n;
  }
}
