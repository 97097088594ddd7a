import { assert, TAR_END, tarHeader, tarPadding } from "../../base/index.ts";

/** One file of an archive, its bytes given out in pieces. */
export interface TarMember {
  readonly name: string;
  readonly bytes: number;
  readonly chunks: Iterable<Buffer>;
}

/** The bytes of a tar with these members, in their order and in the one spelling of `base/tar.ts`. */
export function* tarOf(members: Iterable<TarMember>): Generator<Buffer> {
  for (const { name, bytes, chunks } of members) {
    yield tarHeader(name, bytes);
    let given = 0;
    for (const chunk of chunks) {
      given += chunk.length;
      yield chunk;
    }
    assert(given === bytes, `${name} has as many bytes as its header says`);
    yield Buffer.alloc(tarPadding(bytes));
  }
  yield TAR_END;
}
