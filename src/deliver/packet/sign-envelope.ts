import { assert, canonicalize, dsseBytes, type Signer } from "../../base/index.ts";
import { type Envelope, IN_TOTO_TYPE, Statement } from "../../schema/in-toto.ts";

/** A statement in an envelope that any verifier of DSSE can open with the public key. */
export function signEnvelope(statement: Statement, signer: Signer): Envelope {
  const parsed = Statement.safeParse(statement);
  assert(parsed.success, `a statement has its shape: ${parsed.error?.issues[0]?.message}`);
  const payload = Buffer.from(canonicalize(parsed.data));
  const sig = signer.sign(dsseBytes(IN_TOTO_TYPE, payload)).toString("base64");
  return {
    payloadType: IN_TOTO_TYPE,
    payload: payload.toString("base64"),
    signatures: [{ keyid: signer.key, sig }],
  };
}
