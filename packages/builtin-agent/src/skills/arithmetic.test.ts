import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";

describe("arithmetic", () => {
  test.each([
    ["0.1 + 0.2", "= **0.3**"],
    ["What is 12% of 340?", "= **40.8**"],
    ["1,234.5 * 3", "= **3703.5**"],
    ["3 * (1/3)", "= **1**"],
    ["1/3", "≈ **0.333333333333333**"],
    ["square root of 2", "≈ **1.4142135623731**"],
    ["√16 + √(9)", "= **7**"],
    ["-2^2", "= **-4**"],
    ["2^3^2", "= **512**"],
    ["2^100", "= **1,267,650,600,228,229,401,496,703,205,376**"],
    ["25!", "= **15,511,210,043,330,985,984,000,000**"],
    ["10 choose 3", "= **120**"],
    ["max(1,200)", "= **200**"],
    ["sin(30°)", "= **0.5**"],
    ["sin(pi)", "= **0**"],
    ["7 mod 3", "= **1**"],
    ["-7 mod 3", "= **2**"],
    ["3 x 4", "= **12**"],
    ["12 ÷ 4 × 2", "= **6**"],
    ["１＋２＝？", "= **3**"],
    ["five plus twenty-three", "= **28**"],
    ["5 squared minus 3 cubed", "= **-2**"],
    ["2 to the power of 10", "= **1024**"],
    ["1e3 + 0x10", "= **1016**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["200 + 10%", "= **220**"],
    ["200 + 10% + 10%", "= **242**"],
    ["10% + 5", "= **5.1**"],
    ["10% + 5%", "= **0.15**"],
    ["20% off 80", "= **64**"],
    ["what percent of 80 is 20", "= **25 %**"],
    ["7 % 3", "= **1**"],
  ])("percent: %s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["9^9^9^9", "too large"],
    ["10^20000", "too large"],
    ["factorial(1e9)", "too large"],
    ["1e9999 * 10", "too large"],
    ["10^-9000 * 10^-9000", "too close to zero"],
    ["(".repeat(10_000), "too long"],
    ["(".repeat(400) + "1" + ")".repeat(400), "nests more than 60 parentheses"],
    ["1+".repeat(5000) + "1", "too long"],
    ["1/0", "Division by zero"],
    ["5 mod 0", "Division by zero"],
    ["sqrt(1, 2)", "takes 1 number, but got 2"],
    ["sqrt(-1)", "no real-number result"],
    ["tan(pi/2)", "Division by zero"],
    ["ln(0)", "above zero"],
    ["sin(1e30)", "too large"],
    ["sin 30", "`sin(2)`"],
    ["1 +", "can't read"],
    ["1,5 + 2", "with a point"],
    ["(5)% + 3", "right after its number"],
    ["0.5 in hex", "whole numbers"],
    ["10^40 in words", "too long to write"],
    ["choose(3, 0-1)", "fewer than zero"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    const { response_text, skill } = await run(question);
    expect(skill).toBe("arithmetic");
    expect(response_text).toContain(sentence);
  });
});

describe("unit conversion", () => {
  test.each([
    ["5 km in miles", "`5 km` ≈ **3.106855961 miles**"],
    ["72 °F to °C", "≈ **22.22222222 °C**"],
    ["-40 fahrenheit in celsius", "= **-40 celsius**"],
    ["0 K in °F", "= **-459.67 °F**"],
    ["100 C in F", "= **212 F**"],
    ["10 in in cm", "= **25.4 cm**"],
    ["convert 60 mph to km/h", "= **96.56064 km/h**"],
    ["10 knots in km/h", "= **18.52 km/h**"],
    ["1,000 kcal in kJ", "= **4184 kJ**"],
    ["500 MB in MiB", "= **476.837158203125 MiB**"],
    ["100 Mbps in MB/s", "= **12.5 MB/s**"],
    ["1 acre in square feet", "= **43,560 square feet**"],
    ["5m² in cm2", "= **50,000 cm2**"],
    ["a gallon in litres", "= **3.785411784 litres**"],
    ["how many feet are in a mile", "= **5280 feet**"],
    ["how many cm in 2 inches", "= **5.08 cm**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });
});
