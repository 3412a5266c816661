import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";

describe("unit conversion", () => {
  test.each([
    ["5 km in miles", "≈ **3.106856 miles**"],
    ["72 °F to °C", "≈ **22.22222 °C**"],
    ["-40 fahrenheit in celsius", "= **-40 celsius**"],
    ["0 K in °F", "= **-459.67 °F**"],
    ["100 C in F", "= **212 F**"],
    ["5'11\" in cm", "= **180.34 cm**"],
    ["5’11” in cm", "= **180.34 cm**"],
    ["5 feet 11 inches to cm", "= **180.34 cm**"],
    ["5 foot 11 in cm", "= **180.34 cm**"],
    ["10 in in cm", "= **25.4 cm**"],
    ["convert 60 mph to km/h", "= **96.56064 km/h**"],
    ["10 knots in km/h", "= **18.52 km/h**"],
    ["12 stone 6 lb in kg", "= **78.92507238 kg**"],
    ["500 MB in MiB", "≈ **476.8372 MiB**"],
    ["10 mb in kb", "= **10,000 kb**"],
    ["100 Mbps in MB/s", "= **12.5 MB/s**"],
    ["1 imperial gallon in litres", "= **4.54609 litres**"],
    ["5m² in cm2", "= **50,000 cm2**"],
    ["1 acre in square feet", "= **43,560 square feet**"],
    ["1 1/2 cups in ml", "= **354.88235475 ml**"],
    ["½ mile in m", "= **804.672 m**"],
    ["1h30m in seconds", "= **5400 seconds**"],
    ["30 mpg in litres per 100 km", "≈ **7.840486 l/100 km**"],
    ["5 l/100km in km/l", "`5 l/100 km` = **20 km/l**"],
    ["how many feet are in a mile", "= **5280 feet**"],
    ["how many cm in 2 inches", "= **5.08 cm**"],
    ["1 light year in km", "= **9,460,730,472,580.8 km**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test("names the meant unit if several share a name", async () => {
    expect(await ask("1 gallon in litres")).toContain("US measures");
    expect(await ask("1 ton in kg")).toContain("US short ton");
    expect(await ask("1 year in days")).toContain("average length");
  });

  test.each([
    ["5 km to kg", "measure different things"],
    ["5 km in l/100km", "measure different things"],
    ["0 mpg in l/100 km", "no equivalent"],
    ["-300 C in K", "below absolute zero"],
    ["5 foo in km", "don't know the unit `foo`"],
    ["5 km in foo", "don't know the unit `foo`"],
    ["1/0 km in m", "Division by zero"],
    ["100 USD in EUR", "no exchange rates"],
    ["$100 to euros", "no exchange rates"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    expect(await ask(question)).toContain(sentence);
  });

  test.each(["10 people in trouble", "the cat in the hat", "2026 in review", "speed of light in km/h"])(
    "is not a conversion: %s",
    async (text) => {
      expect((await run(text)).skill).not.toBe("unit-conversion");
    },
  );
});
