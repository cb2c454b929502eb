/** Files whose size nobody knows before they are read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readThemeFiles } from "../../../src/config/themes/theme-files.ts";
import { FileTooLargeError, readFileUpTo, readFileUpToSync } from "../../../src/lib/read-file.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

test("what has no end is refused, at once and in time", async () => {
  await expect(readFileUpTo("/dev/zero", 100_000)).rejects.toThrow(FileTooLargeError);
  expect(() => readFileUpToSync("/dev/zero", 100_000)).toThrow(FileTooLargeError);
});

test("a file is read whole up to the bound, an empty one too, and one that is none is what the system says", async () => {
  const folder = await makeTempDir("read-file");
  try {
    for (const size of [0, 1, 65_536, 65_537, 200_000]) {
      const file = join(folder.path, `${size}`);
      writeFileSync(file, Buffer.alloc(size, 7));
      expect((await readFileUpTo(file, size)).equals(Buffer.alloc(size, 7))).toBe(true);
      expect(readFileUpToSync(file, size).equals(Buffer.alloc(size, 7))).toBe(true);
      if (size > 0) await expect(readFileUpTo(file, size - 1)).rejects.toThrow(FileTooLargeError);
    }
    await expect(readFileUpTo(join(folder.path, "none"), 5)).rejects.toMatchObject({ code: "ENOENT" });
  } finally {
    await folder.remove();
  }
});

test.each(["/dev/zero", "/dev/null", "/tmp"])("a logo at %s is a fault, and keeps nobody waiting", async (file) => {
  const { faults, logos } = await readThemeFiles({ theme: { logo: { file } } }, "/");
  expect(faults.map(({ message }) => message)).toEqual(["expected a file with an image"]);
  expect(logos.size).toBe(0);
});
