import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type * as upngType from "@pdf-lib/upng";
import type { Page } from "playwright-core";

// The package is CommonJS, with all functions in `default`.
const { default: upng } = createRequire(import.meta.url)("@pdf-lib/upng") as { readonly default: typeof upngType };

/** All pages at one time. */
interface Frame {
  readonly at: number;
  readonly pages: readonly Buffer[];
}

/** Size of one page, CSS pixels. */
export const pageSize = { width: 400, height: 560 };
export const titleHeight = 40;
/** Pixels of the film for a CSS pixel. */
export const scale = 2;

/** Films pages, side by side from left to right. */
export class Camera implements AsyncDisposable {
  readonly #pages: readonly Page[];
  readonly #frames: Frame[] = [];
  readonly #ended: Promise<void>;
  #isRunning = true;

  constructor(pages: readonly Page[]) {
    this.#pages = pages;
    this.#ended = this.#shoot();
  }

  async #shoot(): Promise<void> {
    while (this.#isRunning) {
      const at = performance.now();
      const pages = await Promise.all(this.#pages.map((page) => page.screenshot()));
      const last = this.#frames.at(-1);
      if (!pages.every((page, index) => last?.pages[index]?.equals(page))) this.#frames.push({ at, pages });
      await delay(Math.max(0, at + 100 - performance.now()));
    }
  }

  /** Stops filming. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isRunning = false;
    await this.#ended;
  }

  /**
   * Stops filming and returns an animated PNG, with a title above the pages. It begins with the last frame, which is all that programs without
   * animation show, for `firstMs`; at the end the frame stays for `holdMs`.
   */
  async develop(
    title: Buffer,
    { firstMs, holdMs }: { readonly firstMs: number; readonly holdMs: number },
  ): Promise<Buffer> {
    await this[Symbol.asyncDispose]();
    const frames = this.#frames;
    const shown = [...frames.slice(-1), ...frames];
    const pictures = shown.map((frame) => join(title, frame));
    const delays = frames.map(({ at }, index) => Math.round((frames[index + 1]?.at ?? at + holdMs) - at));
    delays.unshift(firstMs);
    const height = (titleHeight + pageSize.height) * scale;
    return Buffer.from(upng.encode(pictures, pageSize.width * scale * this.#pages.length, height, 64, delays));
  }
}

/** Returns the pixels of a frame: the title, and the pages below it. */
function join(title: Buffer, { pages }: Frame): ArrayBuffer {
  const width = pageSize.width * scale * pages.length;
  const canvas = new Uint8Array(width * (titleHeight + pageSize.height) * scale * 4);
  const draw = (png: Buffer, left: number, top: number): void => {
    const picture = upng.decode(Uint8Array.from(png).buffer);
    const [pixels = new ArrayBuffer()] = upng.toRGBA8(picture);
    const row = picture.width * 4;
    for (let y = 0; y < picture.height; y++)
      canvas.set(new Uint8Array(pixels, y * row, row), ((top + y) * width + left) * 4);
  };
  draw(title, 0, 0);
  for (const [index, page] of pages.entries()) draw(page, index * pageSize.width * scale, titleHeight * scale);
  return canvas.buffer;
}

/** Returns a PNG with a comment (a chunk iTXt before the end). */
export function withComment(png: Buffer, text: string): Buffer {
  const chunk = Buffer.from(`\0\0\0\0iTXtComment\0\0\0\0\0${text}\0\0\0\0`);
  chunk.writeUInt32BE(chunk.length - 12);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]);
}

/** Returns the number of frames of an animated PNG, its duration in seconds, and its comment. */
export function readFilm(png: Buffer): { readonly frames: number; readonly seconds: number; readonly comment: string } {
  const { frames, tabs } = upng.decode(Uint8Array.from(png).buffer);
  const seconds = frames.reduce((sum, frame) => sum + frame.delay, 0) / 1000;
  return { frames: frames.length, seconds, comment: tabs.iTXt?.["Comment"] ?? "" };
}
