import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { assert, type Clock, keyIdOf, type Signer, SwornError } from "../base/index.ts";
import {
  agentsIn,
  changeKeyFile,
  createKeyFile,
  ensureKeyFolder,
  type KeyFile,
  type KeyRecord,
  readKeyFile,
} from "./key-file.ts";
import { PassphraseLock } from "./passphrase.ts";

/** A key as others may see it. */
export type PublicKeyRecord = { readonly agent: string } & Omit<KeyRecord, "secret">;

/**
 * The private keys of this user's agents: one file an agent, in the user's state directory, never
 * in a repository. Nothing that comes out of here can be turned back into a secret.
 */
export class Keyring {
  readonly #folder: string;
  readonly #lock: PassphraseLock;
  readonly #clock: Clock;
  readonly #signers = new Map<string, Signer>();

  constructor(folder: string, options: { clock: Clock; passphrase: () => string | undefined }) {
    this.#folder = folder;
    this.#clock = options.clock;
    this.#lock = new PassphraseLock(folder, options.passphrase);
    ensureKeyFolder(folder);
  }

  get isLocked(): boolean {
    return this.#lock.isSet;
  }

  /**
   * Protects all keys that will be made with a passphrase.
   *
   * @throws SwornError `ALREADY_EXISTS` when there are keys already.
   */
  async setPassphrase(passphrase: string): Promise<void> {
    if (this.#lock.isSet || agentsIn(this.#folder).length > 0) {
      throw new SwornError(
        "ALREADY_EXISTS",
        `${this.#folder} has keys already; a passphrase is set before the first one`,
      );
    }
    await this.#lock.set(passphrase);
  }

  list(): PublicKeyRecord[] {
    return agentsIn(this.#folder).flatMap((agent) =>
      (readKeyFile(this.#folder, agent)?.keys ?? []).map(({ secret: _, ...key }) => ({
        agent,
        ...key,
      })),
    );
  }

  /** Whether a key of an agent was made here, whatever became of it. */
  has(agent: string, keyId: string | undefined): boolean {
    return readKeyFile(this.#folder, agent)?.keys.some(({ key }) => key === keyId) ?? false;
  }

  /** The key an agent signs with now; undefined when it has none or the last one was revoked. */
  current(agent: string): PublicKeyRecord | undefined {
    return activeKey(readKeyFile(this.#folder, agent));
  }

  /** The key an agent signs with, made now if it has never had one. */
  async ensure(agent: string): Promise<PublicKeyRecord> {
    // Read once: a file that another process makes between two looks would seem to hold no key in use.
    const file = readKeyFile(this.#folder, agent);
    const current = activeKey(file);
    if (current) return current;
    if (file) {
      throw new SwornError(
        "KEY_UNUSABLE",
        `the key of ${agent} is revoked; make a new one with "sworn keys rotate ${agent}"`,
      );
    }
    // A lost race is fine: the other process's key is then the key.
    createKeyFile(this.#folder, { v: 1, agent, keys: [await this.#newKey()] });
    const made = this.current(agent);
    assert(made, "a key that was just written can be read");
    return made;
  }

  /** Gives an agent a new key; the old one stays on file so that open traces can hand over. */
  async rotate(agent: string): Promise<PublicKeyRecord> {
    const made = await this.#newKey();
    changeKeyFile(this.#folder, agent, (file) => {
      const old = file.keys.map((key) =>
        key.status === "active" ? { ...key, status: "rotated" as const } : key,
      );
      return { ...file, keys: [...old, made] };
    });
    const { secret: _, ...key } = made;
    return { agent, ...key };
  }

  /** Marks a key as no longer to be used for anything, not even for handing over. */
  revoke(agent: string, keyId: string): void {
    changeKeyFile(this.#folder, agent, (file) => {
      if (!file.keys.some((key) => key.key === keyId)) {
        throw new SwornError("NOT_FOUND", `${agent} has no key ${keyId}; see "sworn keys list"`);
      }
      const keys = file.keys.map((key) =>
        key.key === keyId ? { ...key, status: "revoked" as const } : key,
      );
      return { ...file, keys };
    });
    this.#signers.delete(keyId);
  }

  /** A signer for one key of an agent, rotated ones included; undefined when it is not here or revoked. */
  async signer(agent: string, keyId: string): Promise<Signer | undefined> {
    const known = this.#signers.get(keyId);
    if (known) return known;
    const record = readKeyFile(this.#folder, agent)?.keys.find((key) => key.key === keyId);
    if (!record || record.status === "revoked") return undefined;
    const signer = toSigner(record, await this.#privateKey(record));
    this.#signers.set(keyId, signer);
    return signer;
  }

  async #privateKey(record: KeyRecord): Promise<KeyObject> {
    const secret = this.#lock.isSet ? await this.#lock.unlock(record.secret) : record.secret;
    const privateKey = decodeSecret(secret, record.key);
    // A damaged secret would sign, and nobody could verify it.
    if (
      publicTextOf(createPublicKey(privateKey)) !== record.public ||
      keyIdOf(record.public) !== record.key
    ) {
      throw new SwornError(
        "KEY_UNUSABLE",
        `the parts of key ${record.key} do not belong together; rotate it`,
      );
    }
    return privateKey;
  }

  async #newKey(): Promise<KeyRecord> {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const publicText = publicTextOf(publicKey);
    const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    return {
      key: keyIdOf(publicText),
      public: publicText,
      created_at: new Date(this.#clock()).toISOString(),
      status: "active",
      secret: this.#lock.isSet ? await this.#lock.lock(secret) : secret,
    };
  }
}

function activeKey(file: KeyFile | undefined): PublicKeyRecord | undefined {
  const active = file?.keys.find((key) => key.status === "active");
  if (!file || !active) return undefined;
  const { secret: _, ...key } = active;
  return { agent: file.agent, ...key };
}

function decodeSecret(secret: string, keyId: string): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
  } catch (cause) {
    throw new SwornError("KEY_UNUSABLE", `the secret of key ${keyId} is damaged; rotate it`, {
      cause,
    });
  }
}

/** The last 32 bytes of the DER form are the raw key. */
function publicTextOf(publicKey: KeyObject): string {
  return publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}

function toSigner(record: KeyRecord, privateKey: KeyObject): Signer {
  return { key: record.key, public: record.public, sign: (bytes) => sign(null, bytes, privateKey) };
}
