import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import type { Encrypter } from "age-encryption";
import { messageOf, SwornError, writeAll } from "../../base/index.ts";

/** What was written: the packet as it leaves. */
export interface SealedPacket {
  readonly bytes: number;
  readonly sha256: string;
}

/** How it is written. */
export interface Sealing {
  readonly mode: number;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Writes a packet to a new file, encrypted with age for all of the recipients, or as it is when there
 * are none. The plain bytes are on no disk in between.
 *
 * @throws SwornError `INPUT_INVALID` for a recipient that age does not know; what `plain` throws.
 */
export async function sealPacket(
  path: string,
  plain: Iterable<Buffer>,
  recipients: readonly string[],
  { mode, signal, onBytes }: Sealing,
): Promise<SealedPacket> {
  const sealed =
    recipients.length === 0
      ? plain
      : await (await encrypterFor(recipients)).encrypt(streamOf(plain));
  const hash = createHash("sha256");
  let bytes = 0;
  const fd = openSync(path, "wx", mode);
  try {
    for await (const chunk of sealed) {
      signal.throwIfAborted();
      writeAll(fd, chunk);
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(bytes);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * What encrypts for all of the recipients.
 *
 * @throws SwornError `INPUT_INVALID` for one that age does not know.
 */
export async function encrypterFor(recipients: readonly string[]): Promise<Encrypter> {
  const age = await import("age-encryption");
  const encrypter = new age.Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      const shown = `${recipient.slice(0, 16)}…`;
      const message = `the recipient ${shown} is none that age knows: ${messageOf(cause)}`;
      throw new SwornError("INPUT_INVALID", message, { cause });
    }
  }
  return encrypter;
}

function streamOf(chunks: Iterable<Buffer>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      for (let next = iterator.next(); ; next = iterator.next()) {
        if (next.done) return controller.close();
        // A stream that is given nothing does not ask again.
        if (next.value.length > 0) return controller.enqueue(next.value);
      }
    },
    cancel: () => void iterator.return?.(),
  });
}
