import { failed, passed, warned, type Check } from "./check.ts";

const make = "Make one with: openssl rand -base64 32";

/** Whether the keys that encrypt the database can be guessed, and whether old ones are still about. Shows their ids only. */
export function checkDataKeys(items: readonly string[] | undefined): Check {
  return {
    name: "data keys",
    reads: ["DATA_KEYS"],
    run: () => {
      if (items === undefined)
        return warned("DATA_KEYS is not set: secrets are not stored, and what people write is stored in clear", make);
      const keys = items.map((item) => {
        const [id = "", text = ""] = item.split(":", 2);
        return { id, bytes: Buffer.from(text, "base64") };
      });
      const weak = keys.filter(({ bytes }) => looksChosen(bytes)).map(({ id }) => id);
      if (weak.length > 0) return failed(`${weak.join(", ")} can be guessed: it repeats itself, or is text`, make);
      const [first, ...others] = keys.map(({ id }) => id);
      if (new Set(keys.map(({ bytes }) => bytes.toString("hex"))).size < keys.length)
        return warned("the same key has two ids: nothing is gained by changing one for the other", make);
      if (others.length === 0) return passed(`one, ${first}, random by its look`);
      const todo = `Run the data command reseal, then take ${others.join(", ")} away.`;
      return warned(`${first} encrypts; ${others.join(", ")} can still decrypt`, todo);
    },
  };
}

/** Of 32 random bytes about 30 are different, and hardly ever are all of them printable. */
function looksChosen(bytes: Buffer): boolean {
  return new Set(bytes).size < 20 || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}
