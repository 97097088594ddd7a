export { Keyring, type PublicKeyRecord } from "./keyring.ts";
