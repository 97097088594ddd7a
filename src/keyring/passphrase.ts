import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SwornError, writeFileDurably } from "../base/index.ts";
import { assertPrivate } from "./key-file.ts";

/**
 * Encrypts secrets to an age identity that is itself locked with a passphrase: the slow passphrase
 * work is done once a process, however many keys there are.
 */
export class PassphraseLock {
  readonly #folder: string;
  readonly #passphrase: () => string | undefined;
  #identity: string | undefined;

  constructor(folder: string, passphrase: () => string | undefined) {
    this.#folder = folder;
    this.#passphrase = passphrase;
  }

  get isSet(): boolean {
    return existsSync(this.#recipientPath);
  }

  /** Turns the lock on. Only for an empty keyring: keys that lay open once are not made secret by it. */
  async set(passphrase: string): Promise<void> {
    const age = await import("age-encryption");
    const identity = await age.generateX25519Identity();
    const encrypter = new age.Encrypter();
    encrypter.setPassphrase(passphrase);
    const locked = age.armor.encode(await encrypter.encrypt(identity));
    writeFileDurably(this.#identityPath, locked, 0o600);
    writeFileDurably(this.#recipientPath, `${await age.identityToRecipient(identity)}\n`, 0o600);
    this.#identity = identity;
  }

  async lock(secret: string): Promise<string> {
    const age = await import("age-encryption");
    const encrypter = new age.Encrypter();
    encrypter.addRecipient(readFileSync(this.#recipientPath, "utf8").trim());
    return age.armor.encode(await encrypter.encrypt(secret));
  }

  /** @throws SwornError `KEY_LOCKED` without the passphrase, or with a wrong one. */
  async unlock(locked: string): Promise<string> {
    const age = await import("age-encryption");
    const decrypter = new age.Decrypter();
    decrypter.addIdentity(await this.#unlockIdentity());
    try {
      return await decrypter.decrypt(age.armor.decode(locked), "text");
    } catch (cause) {
      throw new SwornError("KEY_UNUSABLE", "a locked key is damaged; rotate it", { cause });
    }
  }

  async #unlockIdentity(): Promise<string> {
    if (this.#identity !== undefined) return this.#identity;
    const passphrase = this.#passphrase();
    if (passphrase === undefined) {
      throw new SwornError(
        "KEY_LOCKED",
        "the keys are locked with a passphrase; put it in a file and name it in SWORN_PASSPHRASE_FILE",
      );
    }
    const age = await import("age-encryption");
    assertPrivate(this.#identityPath);
    const decrypter = new age.Decrypter();
    decrypter.addPassphrase(passphrase);
    try {
      this.#identity = await decrypter.decrypt(
        age.armor.decode(readFileSync(this.#identityPath, "utf8")),
        "text",
      );
      return this.#identity;
    } catch (cause) {
      throw new SwornError("KEY_LOCKED", "the passphrase does not open the keys", { cause });
    }
  }

  get #identityPath(): string {
    return join(this.#folder, "identity.age");
  }

  get #recipientPath(): string {
    return join(this.#folder, "recipient.txt");
  }
}
