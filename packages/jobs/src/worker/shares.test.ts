import { assert, nat, property, record, string, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { shareRoom } from "./shares.ts";

test("B3: a long queue shares its turns; what one share cannot use goes to the next", () => {
  const seats = [
    { share: "slow", free: 0 },
    { share: "long", free: 1_000 },
    { share: "short", free: 2 },
  ];
  expect(shareRoom(10, seats)).toEqual([
    { share: "long", most: 8 },
    { share: "short", most: 2 },
  ]);
  expect(shareRoom(1, seats)).toEqual([{ share: "long", most: 1 }]);
  expect(shareRoom(0, seats)).toEqual([]);
  expect(shareRoom(10, [])).toEqual([]);
});

test("N5: all usable slots are distributed; no share exceeds its limit or lags behind another by two", () => {
  const seats = uniqueArray(record({ share: string(), free: nat(20) }), { selector: ({ share }) => share });
  assert(
    property(nat(100), seats, (room, all) => {
      const shares = new Map(shareRoom(room, all).map(({ share, most }) => [share, most]));
      const got = all.map(({ share, free }) => ({ free, most: shares.get(share) ?? 0 }));
      const sum = got.reduce((total, { most }) => total + most, 0);
      expect(sum).toBe(
        Math.min(
          room,
          all.reduce((total, { free }) => total + free, 0),
        ),
      );
      for (const { most, free } of got) expect(most).toBeLessThanOrEqual(free);
      const hungry = got.filter(({ most, free }) => most < free).map(({ most }) => most);
      const top = Math.max(0, ...got.map(({ most }) => most));
      for (const most of hungry) expect(top - most).toBeLessThanOrEqual(1);
    }),
  );
});
